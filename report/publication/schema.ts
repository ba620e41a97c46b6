/**
 * The shape of a published summary: one response mode's figures of every adapter, small enough for a homepage, with
 * the digests of the reports that it was made from. Nothing stands in it that those reports don't say.
 */
import { z } from "zod";
import {
  deviationSchema,
  linkSchema,
  machineSchema,
  responseModeSchema,
  runtimeIdSchema,
  SCHEMA_VERSION,
  verdictReasonSchema,
  warningSchema,
} from "../schema.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * A figure over the rounds. `low` and `high` are an interval where `level` has its exact level, the range where it is
 * null, and null themselves with one round. `median` is null where the row's `nullReasons` say why.
 */
export const summaryFigureSchema = z.strictObject({
  median: z.number().nonnegative().nullable(),
  low: z.number().nonnegative().nullable(),
  high: z.number().nonnegative().nullable(),
  level: z.number().min(0).max(1).nullable(),
});

/** What of the load row is published, each in the row's own unit. */
export const SUMMARY_LOAD_FIGURES = [
  "completedRps",
  "latencyMs.p50",
  "latencyMs.p95",
  "latencyMs.p99",
  "firstByteMs.p50",
  "firstByteMs.p95",
  "longestGapMs",
  "peakRssMiB",
  "peakPssMiB",
  "cpuUsPerResponse",
  "serverBusy.total",
  "loadBusy",
  "responseBytes.mean",
  "chunksPerResponse",
  "errors",
  "timeouts",
] as const;

/** What of the browser row is published, each in the row's own unit. */
export const SUMMARY_BROWSER_FIGURES = [
  "ttfbMs",
  "fcpMs",
  "lcpMs",
  "cls",
  "inpMs",
  "readyMs",
  "interactionMs",
  "navigationMs",
  "jsTransferBytes",
  "jsHeapReadyBytes",
  "rendererRssReadyBytes",
  "rendererPssReadyBytes",
] as const;

/** One adapter in one response mode. */
export const summaryRowSchema = z.strictObject({
  adapter: z.string(),
  displayName: z.string(),
  runtime: runtimeIdSchema,
  runtimeVersion: z.string(),
  frameworkVersion: z.string(),
  /**
   * By the median of `completedRps` among the rankable: a place ends at the first adapter whose interval doesn't
   * overlap that of the place's leader, and the next place's number counts all before it. Null with fewer than six
   * rounds, and for a row that isn't rankable.
   */
  place: z.int().positive().nullable(),
  rankable: z.boolean(),
  reasons: z.array(verdictReasonSchema),
  load: z.record(z.enum(SUMMARY_LOAD_FIGURES), summaryFigureSchema),
  /** Null in a summary without a browser report. */
  browser: z.record(z.enum(SUMMARY_BROWSER_FIGURES), summaryFigureSchema).nullable(),
  deviations: z.array(deviationSchema),
  /** Why a figure of this row is null, by its path, such as `load.peakPssMiB`. */
  nullReasons: z.record(z.string(), z.string()),
});

/** A report that the summary was made from. */
export const summaryInputSchema = z.strictObject({
  /** Its file name, without a folder. */
  file: z.string(),
  kind: z.enum(["ssr-load", "ssr-browser"]),
  /** Of the file's bytes. */
  sha256,
  rounds: z.int().positive(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
});

export const summarySchema = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  kind: z.literal("ssr-summary"),
  workload: z.literal("todo"),
  contractVersion: z.int().positive(),
  runtimeMode: z.literal("official"),
  responseMode: responseModeSchema,
  status: z.enum(["complete", "partial"]),
  metricsStatus: z.enum(["ok", "incomplete"]),
  inputs: z.array(summaryInputSchema).min(1),
  sourceDigest: sha256,
  gitRevision: z.string(),
  dependencyMode: z.enum(["registry", "local-source"]),
  /** What was linked in `local-source`. */
  links: z.array(linkSchema),
  machine: machineSchema,
  /** Chromium's version; null in a summary without a browser report. */
  browserVersion: z.string().nullable(),
  /** Those of all inputs. */
  warnings: z.array(warningSchema),
  /** Sorted by the median of `completedRps`, the highest first; equal ones by adapter. */
  rows: z.array(summaryRowSchema).min(1),
});

export type SummaryFigure = z.infer<typeof summaryFigureSchema>;
export type SummaryLoadFigure = (typeof SUMMARY_LOAD_FIGURES)[number];
export type SummaryBrowserFigure = (typeof SUMMARY_BROWSER_FIGURES)[number];
export type SummaryRow = z.infer<typeof summaryRowSchema>;
export type SummaryInput = z.infer<typeof summaryInputSchema>;
export type Summary = z.infer<typeof summarySchema>;
