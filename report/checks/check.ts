/** What the consistency checks share: a rule that holds gives no problem, one that doesn't gives one. */
import type { MeasuredVisit, Problem, RunPlan } from "../schema.ts";

/** A set of rules about one measured visit. Nothing is thrown: whatever is wrong comes back as data. */
export type Check = (visit: MeasuredVisit, plan: RunPlan) => Problem[];

/** A number of a sort, with its unit in words. */
function show(value: number, unit: string): string {
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(7));
  return unit === "" ? `${rounded}` : `${rounded} ${unit}`;
}

/** `low <= seen <= high`; NaN breaks it. */
export function within(rule: string, seen: number, low: number, high: number, unit = ""): Problem[] {
  if (seen >= low && seen <= high) return [];
  return [{ rule, expected: `${show(low, unit)} to ${show(high, unit)}`, seen: show(seen, unit) }];
}

/** `seen <= high`; NaN breaks it. */
export function atMost(rule: string, seen: number, high: number, unit = ""): Problem[] {
  return seen <= high ? [] : [{ rule, expected: `at most ${show(high, unit)}`, seen: show(seen, unit) }];
}

/** `seen >= low`; NaN breaks it. */
export function atLeast(rule: string, seen: number, low: number, unit = ""): Problem[] {
  return seen >= low ? [] : [{ rule, expected: `at least ${show(low, unit)}`, seen: show(seen, unit) }];
}

export function equal(rule: string, seen: number, expected: number, unit = ""): Problem[] {
  return seen === expected ? [] : [{ rule, expected: show(expected, unit), seen: show(seen, unit) }];
}

export function holds(rule: string, right: boolean, expected: string, seen: string): Problem[] {
  return right ? [] : [{ rule, expected, seen }];
}

/** The two lists hold the same numbers, each as often, in whatever order. */
export function sameNumbers(rule: string, seen: readonly number[], expected: readonly number[]): Problem[] {
  const listed = (values: readonly number[]) => [...values].sort((a, b) => a - b).join(", ");
  return holds(rule, listed(seen) === listed(expected), listed(expected), listed(seen));
}

/**
 * How far the length of a reading's own interval may lie from the window's: timers fire late on a busy machine, so one
 * second, or a tenth of a longer window.
 */
export function intervalSlackMs(windowMs: number): number {
  return Math.max(1000, windowMs / 10);
}
