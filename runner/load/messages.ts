/** What the driver and its workers say to each other, checked on both sides. Times in ms on the monotonic clock. */
import { z } from "zod";
import { errorCountsSchema, invalidCountsSchema } from "../../report/schema.ts";

const count = z.int().nonnegative();
const instant = z.number().positive();

/** From the driver. */
export const commandSchema = z.discriminatedUnion("kind", [
  /** Open these connections, and keep one request in flight on each from now on. */
  z.strictObject({
    kind: z.literal("begin"),
    host: z.literal("127.0.0.1"),
    port: z.int().positive(),
    connections: z.int().positive(),
    timeoutMs: z.int().positive(),
  }),
  /** Open this many connections beside them. */
  z.strictObject({ kind: z.literal("add"), connections: count }),
  /** Close those that were added. */
  z.strictObject({ kind: z.literal("drop") }),
  /** Take readings between two instants. */
  z.strictObject({
    kind: z.literal("record"),
    startMs: instant,
    endMs: instant,
    keepBodies: count,
  }),
]);
export type Command = z.infer<typeof commandSchema>;

const countsSchema = z.strictObject({
  completed: count,
  errors: count,
  timeouts: count,
  non2xx: count,
  invalidBodies: count,
});

const windowCounts = {
  /** What ended before the window and after the last one. */
  before: countsSchema,
  /** Requests written, or due and impossible to write, inside the window. */
  sent: count,
  completed: count,
  errors: errorCountsSchema,
  non2xx: count,
  invalid: invalidCountsSchema,
  unfinished: count,
  inFlightMs: z.number().nonnegative(),
  waitingMs: z.number().nonnegative(),
  /** Of the completed, in the order of their ends, whole microseconds. */
  latencyUs: z.instanceof(Float64Array),
  firstByteUs: z.instanceof(Float64Array),
  /** When each completed answer ended. All of them, so that gaps and seconds are pooled exactly. */
  completedAtMs: z.instanceof(Float64Array),
  /** When each complete, wrong answer ended. */
  wrongAtMs: z.instanceof(Float64Array),
  bodyBytes: z.strictObject({ sum: count, min: count.nullable(), max: count.nullable() }),
  starvedConnections: count,
};
const windowCountsSchema = z.strictObject(windowCounts);
export type WindowCounts = z.infer<typeof windowCountsSchema>;

const readingsSchema = z.strictObject({
  kind: z.literal("readings"),
  ...windowCounts,
  connections: z.int().positive(),
  /** CPU time of the worker between two readings `cpuIntervalMs` apart, taken at the window's edges. */
  cpuMs: z.number().nonnegative(),
  cpuIntervalMs: z.number().positive(),
  kept: z.array(
    z.strictObject({
      nonce: z.string(),
      version: z.string(),
      status: z.int(),
      headers: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
      framing: z.enum(["length", "chunked"]),
      body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
      sentAtMs: z.number(),
      endedAtMs: z.number(),
    }),
  ),
});
export type WorkerWindow = z.infer<typeof readingsSchema>;

/** From a worker. */
export const workerMessageSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready") }),
  /** Every connection that it has, has had an answer; `atMs` is when the last of them had its first one. */
  z.strictObject({ kind: z.literal("answered"), connections: count, atMs: instant }),
  readingsSchema,
]);
export type WorkerMessage = z.infer<typeof workerMessageSchema>;
