/** What the suite finds out about itself: figures with their spread, and the targets that they are held to. */
import type { Ratio } from "../ratio.ts";
import { median, medianInterval } from "../statistics.ts";

/** `share` is shown in percent; everything else as it is. */
export type Unit = "ratio" | "share" | "µs" | "ms" | "s" | "/s" | "MiB";

/** How far the readings of a figure lie apart. */
export interface FigureSpread {
  readonly low: number;
  readonly high: number;
  /** The interval's level; null where low and high are only the range. */
  readonly level: number | null;
  /** How many readings, or pairs of them. */
  readonly count: number;
}

/** What a figure ought to be. */
export type Target =
  | { readonly kind: "at-most"; readonly limit: number }
  | {
      readonly kind: "within";
      readonly centre: number;
      readonly tolerance: number;
      /** `interval`: both ends of the spread too, not only the value. */
      readonly of: "value" | "interval";
      /** The target is asked for only where the hypervisor took less than this share of the CPUs; null: always. */
      readonly belowSteal: number | null;
    };

export interface SelfFigure {
  readonly name: string;
  readonly unit: Unit;
  readonly value: number;
  /** Null where there is one reading only. */
  readonly spread: FigureSpread | null;
  /** Null where the figure is only shown. */
  readonly target: Target | null;
}

/** What one benchmark of the suite found. */
export interface SelfFindings {
  /** What was measured, how often and for how long, in a phrase. */
  readonly subject: string;
  readonly figures: readonly SelfFigure[];
  /** Share of the server CPU that others took, steal included, one for each turn: 0 to 1. Empty where nothing was loaded. */
  readonly othersShares: readonly number[];
}

/** A benchmark's end: what isn't there to be measured with is a reason to skip, what went wrong a failure. */
export type SelfOutcome =
  | { readonly status: "measured"; readonly findings: SelfFindings }
  | { readonly status: "skipped"; readonly reason: string }
  | { readonly status: "failed"; readonly code: string; readonly message: string; readonly hint: string };

export interface SelfResult {
  readonly benchmark: string;
  readonly about: string;
  /** What a missed target might come from, beside a busy machine. */
  readonly suspects: string;
  readonly durationMs: number;
  /** Share of the ticks of all CPUs used that the hypervisor gave to others while it ran: 0 to 1. */
  readonly stealShare: number;
  readonly outcome: SelfOutcome;
}

/** The median of readings and its interval. @throws RangeError where there is none */
export function medianFigure(
  name: string,
  unit: Unit,
  readings: readonly number[],
  target: Target | null = null,
): SelfFigure {
  const spread = readings.length < 2 ? null : { ...medianInterval(readings), count: readings.length };
  return { name, unit, value: median(readings), spread, target };
}

/** A ratio of two arms as it was taken pair by pair. */
export function ratioFigure(
  name: string,
  { ratio, pairs, ...spread }: Ratio,
  target: Target | null = null,
): SelfFigure {
  return {
    name,
    unit: "ratio",
    value: ratio,
    spread: pairs < 2 ? null : { ...spread, count: pairs },
    target,
  };
}

/** `undecided`: missed, under circumstances in which the target isn't asked for. */
export type TargetVerdict = "met" | "missed" | "undecided";

/** Null where the figure has no target. */
export function verdictOf(figure: SelfFigure, stealShare: number): TargetVerdict | null {
  const { target } = figure;
  if (target === null) return null;
  if (isMet(figure, target)) return "met";
  const isAsked = target.kind === "at-most" || target.belowSteal === null || stealShare < target.belowSteal;
  return isAsked ? "missed" : "undecided";
}

function isMet({ value, spread }: SelfFigure, target: Target): boolean {
  if (target.kind === "at-most") return value <= target.limit;
  const held = target.of === "interval" && spread !== null ? [value, spread.low, spread.high] : [value];
  return held.every((one) => Math.abs(one - target.centre) <= target.tolerance);
}

/** Above this share the machine itself is the first suspect. */
const NOTABLE_STEAL = 0.01;
const NOTABLE_OTHERS = 0.05;

/** What the misses of a benchmark might come from, likeliest first; empty where its targets are met. */
export function causesOf({ outcome, stealShare, suspects }: SelfResult): string[] {
  if (outcome.status !== "measured") return [];
  const { figures, othersShares } = outcome.findings;
  const isMissed = figures.some((figure) => !["met", null].includes(verdictOf(figure, stealShare)));
  if (!isMissed) return [];
  const others = othersShares.length === 0 ? 0 : Math.max(...othersShares);
  return [
    ...(stealShare >= NOTABLE_STEAL
      ? [`the hypervisor gave ${percent(stealShare)} of the CPUs to others meanwhile`]
      : []),
    ...(others >= NOTABLE_OTHERS ? [`others took up to ${percent(others)} of the server CPU in a turn`] : []),
    suspects,
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
