/**
 * The shapes of everything that a browser report holds, as zod schemas: the code's types and the published JSON
 * Schema both come from here. A visit holds raw readings; sums over steps and figures over rounds are computed from
 * them in `rows.ts`.
 */
import { z } from "zod";
import {
  deviationSchema,
  problemSchema,
  responseModeSchema,
  runProvenanceSchema,
  runtimeIdSchema,
  runtimeModeSchema,
  SCHEMA_VERSION,
  spreadSchema,
  warningSchema,
} from "../schema.ts";

/** Steps of a visit; a test holds it to the contract's. */
export const STEP_COUNT = 29;

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const isoTime = z.iso.datetime();

/** Everything that decides what is visited: a run can be repeated from it. Frozen when parsed. */
export const browserPlanSchema = z.strictObject({
  runtimeMode: runtimeModeSchema,
  responseMode: responseModeSchema,
  /** Sorted ids of the adapters visited. */
  adapters: z.array(z.string()).min(1),
  filtered: z.boolean(),
  rounds: z.int().positive(),
  seed: z.int().nonnegative(),
  headed: z.boolean(),
  viewport: z.strictObject({ width: z.int().positive(), height: z.int().positive() }),
  /** Below so many frames a second the preflight refuses a display. */
  leastFramesPerSecond: z.int().positive(),
  /** An act that hasn't been answered by then is wrong. */
  actLimitMs: z.int().positive(),
  /** The page has to be ready by then, from the navigation's start. */
  readyLimitMs: z.int().positive(),
});

export const browserStageSchema = z.enum([
  "start",
  "launch",
  "preflight",
  "open",
  "steps",
  "metrics",
  "close",
  "stop",
]);

export const stepResultSchema = z.strictObject({
  /** 1 to 29. */
  n: z.int().min(1).max(STEP_COUNT),
  /** Last trusted input event → the frame after the mutation that made the state right; null where none is taken. */
  ms: amount.nullable(),
  /** What differed from the model, as a short diff; empty where the step was right. */
  problems: z.array(problemSchema),
});

/** How many titles each reading found. */
export const titleCountsSchema = z.strictObject({
  /** In the raw response. */
  raw: count.nullable(),
  /** When the document had been parsed, before its scripts made it ready. */
  beforeReady: count.nullable(),
  afterReady: count.nullable(),
  /** Two seconds after ready. */
  later: count.nullable(),
});

const reading = amount.nullable();

/** Raw readings of one visit; null has its reason in the visit's `nullReasons`. */
export const browserReadingsSchema = z.strictObject({
  ttfbMs: reading,
  fcpMs: reading,
  lcpMs: reading,
  cls: reading,
  inpMs: reading,
  /** Navigation start → the `todo:ready` mark. */
  readyMs: reading,
  /** Encoded bytes of all scripts on the wire. */
  jsTransferBytes: reading,
  /** Used size after a forced collection, two seconds after ready and at the end. */
  jsHeapReadyBytes: reading,
  jsHeapEndBytes: reading,
  /** The page's own renderer process, at the same two moments. */
  rendererRssReadyBytes: reading,
  rendererRssEndBytes: reading,
  rendererPssReadyBytes: reading,
  rendererPssEndBytes: reading,
});

const visitFields = {
  adapter: z.string(),
  round: z.int().positive(),
};

export const browserTimingSchema = z.strictObject({
  startedAt: isoTime,
  /** Each stage as it ran, in order. */
  stages: z.array(z.strictObject({ stage: browserStageSchema, durationMs: amount })),
});

/** What a visit that reached its page saw, right or wrong. */
const seenFields = {
  runtime: runtimeIdSchema,
  /** As the running server reported it. */
  runtimeVersion: z.string(),
  frameworkVersion: z.string(),
  /** Declared by the adapter. */
  deviations: z.array(deviationSchema),
  timing: browserTimingSchema,
  steps: z.array(stepResultSchema).length(STEP_COUNT),
  metrics: browserReadingsSchema,
  /** Why a reading is null, by its name. */
  nullReasons: z.record(z.string(), z.string()),
  titles: titleCountsSchema,
  /** Item elements that the server sent and that were still the same objects after ready. */
  itemsKept: z.strictObject({ sent: count, kept: count }),
  /** Of the document's connection, such as `h2`. */
  protocol: z.string(),
  framesPerSecond: amount,
};

export const rightVisitSchema = z.strictObject({
  status: z.literal("right"),
  ...visitFields,
  ...seenFields,
});

/** Folder of a screenshot and logs, relative to the project's root; null where none could be kept. */
const keptIn = z.string().nullable();

export const wrongVisitSchema = z.strictObject({
  status: z.literal("wrong"),
  ...visitFields,
  ...seenFields,
  /** What is wrong beside the steps: console, requests, titles, protocol. */
  problems: z.array(problemSchema),
  keptIn,
});

export const browserFailureSchema = z.strictObject({
  stage: browserStageSchema,
  code: z.string(),
  message: z.string(),
  hint: z.string(),
});

export const failedBrowserVisitSchema = z.strictObject({
  status: z.literal("failed"),
  ...visitFields,
  timing: browserTimingSchema,
  failure: browserFailureSchema,
  keptIn,
});

export const browserVisitSchema = z.discriminatedUnion("status", [
  rightVisitSchema,
  wrongVisitSchema,
  failedBrowserVisitSchema,
]);

/** What the extra, unmeasured visit of a product has shown: whether its page answers within its own ready mark. */
export const readyCheckSchema = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("right"), adapter: z.string() }),
  z.strictObject({
    status: z.literal("wrong"),
    adapter: z.string(),
    problems: z.array(problemSchema),
    keptIn,
  }),
  z.strictObject({
    status: z.literal("failed"),
    adapter: z.string(),
    failure: browserFailureSchema,
    keptIn,
  }),
]);

/** A figure over the rounds: its median, and from 6 rounds on an interval with its exact level. */
export const browserFigureSchema = z.strictObject({ median: amount.nullable(), ...nullableSpread() });

function nullableSpread() {
  const { low, high, level } = spreadSchema.shape;
  return { low: low.nullable(), high: high.nullable(), level };
}

export const browserRowSchema = z.strictObject({
  adapter: z.string(),
  runtime: runtimeIdSchema,
  runtimeVersion: z.string(),
  frameworkVersion: z.string(),
  rounds: z.int().positive(),
  ttfbMs: browserFigureSchema,
  fcpMs: browserFigureSchema,
  lcpMs: browserFigureSchema,
  cls: browserFigureSchema,
  inpMs: browserFigureSchema,
  readyMs: browserFigureSchema,
  /** Sum over steps 2 to 16 and 24 to 29. */
  interactionMs: browserFigureSchema,
  /** Sum over steps 17 to 23. */
  navigationMs: browserFigureSchema,
  stepMs: z.array(browserFigureSchema).length(STEP_COUNT),
  jsTransferBytes: browserFigureSchema,
  jsHeapReadyBytes: browserFigureSchema,
  jsHeapEndBytes: browserFigureSchema,
  rendererRssReadyBytes: browserFigureSchema,
  rendererRssEndBytes: browserFigureSchema,
  rendererPssReadyBytes: browserFigureSchema,
  rendererPssEndBytes: browserFigureSchema,
  deviations: z.array(deviationSchema),
  /** Why a figure of this row is null, by its path. */
  nullReasons: z.record(z.string(), z.string()),
});

/** The browser and what it was shown on. */
export const browserStackSchema = z.strictObject({
  /** As the browser reports it, such as `Chromium/156.0.1234.56`. */
  version: z.string(),
  source: z.enum(["CHROMIUM_PATH", "installed", "playwright"]),
  /** The command line in force, without what names this machine's folders. */
  switches: z.array(z.string()),
  display: z.strictObject({
    kind: z.enum(["present", "virtual", "headless"]),
    /** Such as `:99, 1440x900x24, Xvfb 21.1.7`. */
    description: z.string(),
  }),
});

export const browserReportSchema = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  kind: z.literal("ssr-browser"),
  workload: z.literal("todo"),
  contractVersion: z.int().positive(),
  runtimeMode: runtimeModeSchema,
  responseMode: responseModeSchema,
  status: z.enum(["complete", "partial"]),
  metricsStatus: z.enum(["ok", "incomplete"]),
  filtered: z.boolean(),
  plan: browserPlanSchema,
  provenance: runProvenanceSchema,
  browser: browserStackSchema,
  warnings: z.array(warningSchema),
  rows: z.array(browserRowSchema),
  /** Right, every one of them: a run with any other visit writes no report. */
  visits: z.array(rightVisitSchema),
});

export type BrowserPlan = Readonly<z.infer<typeof browserPlanSchema>>;
export type BrowserStage = z.infer<typeof browserStageSchema>;
export type StepResult = z.infer<typeof stepResultSchema>;
export type TitleCounts = z.infer<typeof titleCountsSchema>;
export type BrowserReadings = z.infer<typeof browserReadingsSchema>;
export type BrowserTiming = z.infer<typeof browserTimingSchema>;
export type RightVisit = z.infer<typeof rightVisitSchema>;
export type WrongVisit = z.infer<typeof wrongVisitSchema>;
export type BrowserFailure = z.infer<typeof browserFailureSchema>;
export type FailedBrowserVisit = z.infer<typeof failedBrowserVisitSchema>;
export type BrowserVisit = z.infer<typeof browserVisitSchema>;
export type ReadyCheck = z.infer<typeof readyCheckSchema>;
export type BrowserFigure = z.infer<typeof browserFigureSchema>;
export type BrowserRow = z.infer<typeof browserRowSchema>;
export type BrowserStack = z.infer<typeof browserStackSchema>;
export type BrowserReport = z.infer<typeof browserReportSchema>;
