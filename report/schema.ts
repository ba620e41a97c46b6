/**
 * The shapes of everything that a load report holds, as zod schemas: the code's types and the published JSON
 * Schemas in `schemas/` both come from here. Raw readings keep their unit in their name; rates and shares are
 * computed from them in `rows.ts`.
 */
import { z } from "zod";

export const SCHEMA_VERSION = 1;

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const isoTime = z.iso.datetime();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const runtimeIdSchema = z.enum(["node", "bun", "deno", "native"]);
export const responseModeSchema = z.enum(["progressive", "complete"]);
export const runtimeModeSchema = z.enum(["official", "quick"]);

/** What may be deviated from, and nothing else. */
export const deviationSchema = z.strictObject({
  code: z.enum(["complete-by-buffering", "streams-data", "own-client", "exit-status"]),
  why: z.string().min(1),
  documentedAt: z.url(),
});

export const problemSchema = z.strictObject({ rule: z.string(), expected: z.string(), seen: z.string() });

/** Everything that decides what is measured: a run can be repeated from it. Frozen when parsed. */
export const planSchema = z.strictObject({
  runtimeMode: runtimeModeSchema,
  responseModes: z.array(responseModeSchema).min(1),
  /** Sorted ids of the adapters measured. */
  adapters: z.array(z.string()).min(1),
  filtered: z.boolean(),
  rounds: z.int().positive(),
  seed: z.int().nonnegative(),
  connections: z.int().positive(),
  workers: z.int().positive(),
  unrecordedMs: count,
  probeMs: z.int().positive(),
  warmMs: z.int().positive(),
  warmLimitMs: z.int().positive(),
  windowMs: z.int().positive(),
  timeoutMs: z.int().positive(),
  rssIntervalMs: z.int().positive(),
  pssIntervalMs: z.int().positive(),
  /** `telemetry`: every cell of a round is measured with the sampler on and off in turn. */
  control: z.enum(["none", "telemetry"]),
  cpus: z.strictObject({ server: count, others: z.array(count).min(1) }),
});

/** Pooled per-request readings in whole microseconds: a compressed HDR histogram (3 digits) and what it can't hold exactly. */
export const timingsSchema = z.strictObject({
  /** hdr-histogram-js `encodeIntoCompressedBase64`. */
  histogram: z.string(),
  count,
  sumUs: amount,
  maxUs: amount,
});

/** No complete answer, by what was seen on the socket. `timeout` is among them. */
export const errorCountsSchema = z.strictObject({
  refused: count,
  reset: count,
  closedInHead: count,
  closedInBody: count,
  unparsable: count,
  timeout: count,
});

/** Complete 2xx answers that are wrong, each counted once, by the first thing found wrong with it. */
export const invalidCountsSchema = z.strictObject({
  length: count,
  sentinel: count,
  nonce: count,
  connectionClose: count,
  noFraming: count,
  interim: count,
});

/** One load worker's own share of the window. */
export const workerReadingsSchema = z.strictObject({
  connections: z.int().positive(),
  cpus: z.array(count).min(1),
  sent: count,
  completed: count,
  failed: count,
  /** CPU time of the worker process, between two readings `cpuIntervalMs` apart. */
  cpuMs: amount,
  cpuIntervalMs: z.number().positive(),
});

/** What the load workers saw in the measured window, pooled. */
export const loadReadingsSchema = z.strictObject({
  /** The window's own length: its two instants on the monotonic clock. */
  windowMs: z.number().positive(),
  connections: z.int().positive(),
  /** Requests written inside the window, and those that were due in it but found no connection. */
  sent: count,
  /** Whole, valid responses that ended inside the window. */
  completed: count,
  errors: errorCountsSchema,
  /** Complete answers with a status outside 200 to 299. */
  non2xx: count,
  invalid: invalidCountsSchema,
  /** Requests in flight when the window closed. */
  unfinished: count,
  /** Σ over all requests, completed, failed or unfinished, of the time each was in flight inside the window. */
  inFlightMs: amount,
  /** Σ over all connection slots of the time spent waiting to reconnect inside the window. */
  waitingMs: amount,
  latency: timingsSchema,
  firstByte: timingsSchema,
  bodyBytes: z.strictObject({ sum: count, min: count.nullable(), max: count.nullable() }),
  /** The longest time without any complete response, pooled over the workers, the window's edges included. */
  longestGapMs: amount,
  /** Completions of each whole second of the window, in order; a last, shorter part is left out. */
  completionsPerSecond: z.array(count),
  /** Connection slots that had no complete answer inside the window. */
  starvedConnections: count,
  workers: z.array(workerReadingsSchema).min(1),
});

/** A difference of two readings of one CPU's line in `/proc/stat`, in clock ticks, summed over `cpus`. */
export const cpuTicksSchema = z.strictObject({
  cpus: z.array(count).min(1),
  user: count,
  nice: count,
  system: count,
  idle: count,
  iowait: count,
  irq: count,
  softirq: count,
  steal: count,
});

/** What the sampler read of the server's process tree and of the CPUs in the window. */
export const serverReadingsSchema = z.strictObject({
  /** RSS summed over the process tree, one reading every `rssIntervalMs`; `atMs` from the window's start. */
  rss: z.array(z.strictObject({ atMs: z.number(), bytes: count, processes: count })),
  pss: z.array(z.strictObject({ atMs: z.number(), bytes: count })),
  /** Why there is no PSS, where there is none. */
  pssMissing: z.string().nullable(),
  /** The largest process's high-water mark over its whole life. */
  vmHwmBytes: count.nullable(),
  /** CPU time of the process tree between two readings `intervalMs` apart. */
  cpu: z.strictObject({ userMs: amount, systemMs: amount, intervalMs: z.number().positive() }),
  /** The runner's own CPU time for all its samples in the window; null where the sampler was off. */
  samplerCpuMs: amount.nullable(),
  serverCpuTicks: cpuTicksSchema,
  loadCpuTicks: cpuTicksSchema,
  ticksPerSecond: z.int().positive(),
});

export const probeSchema = z.strictObject({
  connections: z.int().positive(),
  completed: count,
  windowMs: z.number().positive(),
  completedRps: amount,
  errors: count,
  timeouts: count,
});

/** What a row says of a probe: its readings stand in the visits. */
export const rowProbeSchema = z.strictObject({
  connections: z.int().positive(),
  completedRps: amount,
  errors: amount,
  timeouts: amount,
});

export const warmSchema = z.strictObject({
  /** `extended`: it took longer than planned until every connection had one answer; `short`: the limit came first. */
  status: z.enum(["ok", "extended", "short"]),
  durationMs: amount,
  /** When the last connection had its first answer, from the start of the load; null where one never had. */
  allAnsweredMs: amount.nullable(),
  completed: count,
  errors: count,
  timeouts: count,
  non2xx: count,
  invalidBodies: count,
});

/** Replies kept whole under load, held to the contract afterwards. */
export const keptBodiesSchema = z.strictObject({
  checked: count,
  wrong: count,
  /** The problems of the first wrong one. */
  problems: z.array(problemSchema),
});

/** What the verifier's raw socket saw of `GET /` before the load. */
export const verifiedSchema = z.strictObject({
  /** Of one response: every response of a page has the same length. */
  bodyBytes: count,
  /** Of one response; 0 where it has a Content-Length. */
  chunks: count,
  /** How many requests the verifier made in all. */
  requests: count,
});

export const stageNameSchema = z.enum(["start", "verify", "probe", "restart", "warm", "measure", "stop"]);

const cellFields = {
  adapter: z.string(),
  responseMode: responseModeSchema,
  round: z.int().positive(),
  /** False only in the arm of a telemetry control that has no sampler. */
  telemetry: z.boolean(),
};

export const visitTimingSchema = z.strictObject({
  startedAt: isoTime,
  /** Each stage as it ran, in order; a stage that ran twice stands twice. */
  stages: z.array(z.strictObject({ stage: stageNameSchema, durationMs: amount })),
});

export const serverIdentitySchema = z.strictObject({
  runtime: runtimeIdSchema,
  runtimeVersion: z.string(),
  frameworkVersion: z.string(),
  /** Read back from the kernel for every thread, at the start and at the window's end. */
  cpus: z.array(count).min(1),
  processes: z.int().positive(),
  threads: z.int().positive(),
  /** From the launch to the first right response. */
  startMs: amount,
});

export const warningSchema = z.strictObject({
  code: z.string(),
  /** `adapter/responseMode`, or null where it concerns the run. */
  cell: z.string().nullable(),
  message: z.string(),
});

export const measuredVisitSchema = z.strictObject({
  status: z.literal("measured"),
  ...cellFields,
  timing: visitTimingSchema,
  server: serverIdentitySchema,
  verified: verifiedSchema,
  probes: z.array(probeSchema),
  warm: warmSchema,
  load: loadReadingsSchema,
  sampled: serverReadingsSchema,
  keptBodies: keptBodiesSchema,
  deviations: z.array(deviationSchema),
  /** Warnings that only the one who was there can give, such as `killed`; the rest is derived from the readings. */
  warnings: z.array(warningSchema),
});

export const failureSchema = z.strictObject({
  stage: z.string(),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
});

export const failedVisitSchema = z.strictObject({
  status: z.literal("failed"),
  ...cellFields,
  timing: visitTimingSchema,
  failure: failureSchema,
});

/** A cell that the run never came to, because it was interrupted. */
export const skippedVisitSchema = z.strictObject({
  status: z.literal("skipped"),
  ...cellFields,
  reason: z.string(),
});

export const visitSchema = z.discriminatedUnion("status", [
  measuredVisitSchema,
  failedVisitSchema,
  skippedVisitSchema,
]);

export const artifactSchema = z.strictObject({ path: z.string(), sha256, bytes: count });

/** A checkout whose packages took the place of the registries' when the adapters were built. */
export const linkSchema = z.strictObject({
  name: z.string(),
  revision: z.string().nullable(),
  dirty: z.union([z.boolean(), z.literal("unknown")]),
  /** What of it was used, each with the files that it was made of; their paths are relative to the checkout. */
  packages: z
    .array(z.strictObject({ name: z.string(), version: z.string(), files: z.array(artifactSchema).min(1) }))
    .min(1),
});

export const adapterProvenanceSchema = z.strictObject({
  adapter: z.string(),
  displayName: z.string(),
  runtime: runtimeIdSchema,
  /** As the running server reported it; null with a reason where none ran. */
  runtimeVersion: z.string().nullable(),
  /** From the lockfile. */
  frameworkVersion: z.string(),
  artifacts: z.array(artifactSchema),
});

export const machineSchema = z.strictObject({
  cpuModel: z.string(),
  logicalCpus: z.int().positive(),
  allowedCpus: z.array(count),
  coresPerSocket: z.int().positive().nullable(),
  threadsPerCore: z.int().positive().nullable(),
  sockets: z.int().positive().nullable(),
  memoryBytes: z.int().positive(),
  kernel: z.string(),
  os: z.string(),
  governor: z.string().nullable(),
  boost: z.string().nullable(),
});

/** Where a report comes from, whatever kind of run wrote it. */
export const runProvenanceSchema = z.strictObject({
  command: z.array(z.string()),
  startedAt: isoTime,
  endedAt: isoTime,
  sourceDigest: sha256,
  gitRevision: z.string().nullable(),
  dirty: z.union([z.boolean(), z.literal("unknown")]),
  dependencyMode: z.enum(["registry", "local-source"]),
  /** What was linked in `local-source`. */
  links: z.array(linkSchema),
  runnerNode: z.string(),
  adapters: z.array(adapterProvenanceSchema),
  machine: machineSchema,
  loadAverage: z.tuple([amount, amount, amount]),
  /** Why a field of this object is null, by its path. */
  nullReasons: z.record(z.string(), z.string()),
});

/** The provenance of a load report. */
export const provenanceSchema = runProvenanceSchema.extend({ loadGenerator: z.string() });

const figure = amount.nullable();
const latencyFigures = z.strictObject({ mean: figure, p50: figure, p95: figure, p99: figure, max: figure });

/** Low and high of a figure over the rounds; `level` is the exact level of the interval, null where it is only a range. */
export const spreadSchema = z.strictObject({
  low: amount,
  high: amount,
  level: z.number().min(0).max(1).nullable(),
});

export const verdictReasonSchema = z.enum([
  "generator-bound",
  "idle-server",
  "overloaded",
  "stalled",
  "starved",
  "disturbed",
  "invalid",
  "inconsistent",
]);

export const measuredRowSchema = z.strictObject({
  status: z.literal("measured"),
  adapter: z.string(),
  responseMode: responseModeSchema,
  runtime: runtimeIdSchema,
  runtimeVersion: z.string(),
  frameworkVersion: z.string(),
  attempts: z.int().positive(),
  serverCpus: z.array(count),
  warmStatus: z.enum(["ok", "extended", "short"]),
  /** Share of the server CPU that others took, steal included: 0 to 1. */
  othersShare: amount,
  probes: z.array(rowProbeSchema),
  loadStatus: z.enum(["ok", "overloaded"]),
  rankable: z.boolean(),
  reasons: z.array(verdictReasonSchema),
  completedRps: amount,
  latencyMs: latencyFigures,
  firstByteMs: latencyFigures,
  longestGapMs: amount,
  /** In flight or waiting to reconnect, on average over the window. */
  inFlight: amount,
  responseBytes: z.strictObject({ mean: figure, min: figure, max: figure }),
  chunksPerResponse: amount,
  peakRssMiB: figure,
  peakPssMiB: figure,
  vmHwmMiB: figure,
  /** CPU time of the server's tree ÷ the interval it was read over: 0 to the number of its CPUs. */
  serverBusy: z.strictObject({ total: amount, user: amount, system: amount }),
  loadBusy: amount,
  cpuUsPerResponse: figure,
  startMs: amount,
  errors: amount,
  timeouts: amount,
  non2xx: amount,
  invalidBodies: amount,
  /** How many RSS readings. */
  samples: amount,
  deviations: z.array(deviationSchema),
  /** By the figure's path in this row, such as `latencyMs.p95`; empty with one round. */
  spread: z.record(z.string(), spreadSchema),
  /** Why a figure of this row is null, by its path. */
  nullReasons: z.record(z.string(), z.string()),
});

export const failedRowSchema = z.strictObject({
  status: z.literal("failed"),
  adapter: z.string(),
  responseMode: responseModeSchema,
  attempts: count,
  /** Rounds that were measured all the same; their readings stand in `visits`. */
  measuredRounds: count,
  failure: failureSchema,
});

export const rowSchema = z.discriminatedUnion("status", [measuredRowSchema, failedRowSchema]);

/** The cost of looking: rate with the sampler ÷ rate without, of neighbouring visits. */
export const controlSchema = z.strictObject({
  kind: z.literal("telemetry"),
  cells: z.array(
    z.strictObject({
      adapter: z.string(),
      responseMode: responseModeSchema,
      pairs: z.int().positive(),
      rpsRatio: amount,
      low: amount,
      high: amount,
      level: z.number().nullable(),
      samplerCpuUsPerSample: figure,
    }),
  ),
});

export const loadReportSchema = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  kind: z.literal("ssr-load"),
  workload: z.literal("todo"),
  contractVersion: z.int().positive(),
  runtimeMode: runtimeModeSchema,
  responseMode: z.enum(["progressive", "complete", "both"]),
  /** `partial` where anything warned or is missing. */
  status: z.enum(["complete", "partial"]),
  /** `ok` where every row has all its figures. */
  metricsStatus: z.enum(["ok", "incomplete"]),
  filtered: z.boolean(),
  plan: planSchema,
  provenance: provenanceSchema,
  warnings: z.array(warningSchema),
  rows: z.array(rowSchema),
  control: controlSchema.nullable(),
  visits: z.array(visitSchema),
});

/** One breach of a rule: which, what was right, what was seen. */
export type Problem = z.infer<typeof problemSchema>;
export type RuntimeId = z.infer<typeof runtimeIdSchema>;
export type ResponseMode = z.infer<typeof responseModeSchema>;
export type RuntimeMode = z.infer<typeof runtimeModeSchema>;
export type Deviation = z.infer<typeof deviationSchema>;
export type RunPlan = Readonly<z.infer<typeof planSchema>>;
export type Timings = z.infer<typeof timingsSchema>;
export type ErrorCounts = z.infer<typeof errorCountsSchema>;
export type InvalidCounts = z.infer<typeof invalidCountsSchema>;
export type WorkerReadings = z.infer<typeof workerReadingsSchema>;
export type LoadReadings = z.infer<typeof loadReadingsSchema>;
export type CpuTicks = z.infer<typeof cpuTicksSchema>;
export type ServerReadings = z.infer<typeof serverReadingsSchema>;
export type Probe = z.infer<typeof probeSchema>;
export type RowProbe = z.infer<typeof rowProbeSchema>;
export type Warm = z.infer<typeof warmSchema>;
export type KeptBodies = z.infer<typeof keptBodiesSchema>;
export type Verified = z.infer<typeof verifiedSchema>;
export type StageName = z.infer<typeof stageNameSchema>;
export type VisitTiming = z.infer<typeof visitTimingSchema>;
export type ServerIdentity = z.infer<typeof serverIdentitySchema>;
export type Warning = z.infer<typeof warningSchema>;
export type MeasuredVisit = z.infer<typeof measuredVisitSchema>;
export type FailedVisit = z.infer<typeof failedVisitSchema>;
export type SkippedVisit = z.infer<typeof skippedVisitSchema>;
export type Visit = z.infer<typeof visitSchema>;
export type Failure = z.infer<typeof failureSchema>;
export type Artifact = z.infer<typeof artifactSchema>;
export type Link = z.infer<typeof linkSchema>;
export type AdapterProvenance = z.infer<typeof adapterProvenanceSchema>;
export type Machine = z.infer<typeof machineSchema>;
export type RunProvenance = z.infer<typeof runProvenanceSchema>;
export type Provenance = z.infer<typeof provenanceSchema>;
export type VerdictReason = z.infer<typeof verdictReasonSchema>;
export type Spread = z.infer<typeof spreadSchema>;
export type MeasuredRow = z.infer<typeof measuredRowSchema>;
export type FailedRow = z.infer<typeof failedRowSchema>;
export type Row = z.infer<typeof rowSchema>;
export type Control = z.infer<typeof controlSchema>;
export type LoadReport = z.infer<typeof loadReportSchema>;
