/** What a run's time went into, against the windows that it prescribes. */
import type { RunPlan, StageName, Visit } from "./schema.ts";

export interface TimeSpent {
  /** Unrecorded load, probes, warm-up and window of all measured visits, ms. */
  readonly prescribedMs: number;
  /** What those visits took, ms. */
  readonly spentMs: number;
  /** By stage, what was spent beyond its own windows, in the order in which a visit goes through them, ms. */
  readonly excessMs: ReadonlyMap<StageName, number>;
}

/** Sums over the measured visits; a failed one was cut short, so that it says nothing of the time that a visit takes. */
export function timeSpent(plan: RunPlan, visits: readonly Visit[]): TimeSpent {
  const windowsMs: Partial<Record<StageName, number>> = {
    probe: plan.unrecordedMs + 3 * plan.probeMs,
    warm: plan.warmMs,
    measure: plan.windowMs,
  };
  const measured = visits.filter((visit) => visit.status === "measured");
  const excessMs = new Map<StageName, number>();
  for (const { timing } of measured) {
    for (const { stage, durationMs } of timing.stages) {
      excessMs.set(stage, (excessMs.get(stage) ?? 0) + durationMs - (windowsMs[stage] ?? 0));
    }
  }
  const prescribedMs = measured.length * Object.values(windowsMs).reduce((sum, ms) => sum + ms, 0);
  const excess = [...excessMs.values()].reduce((sum, ms) => sum + ms, 0);
  return { prescribedMs, spentMs: prescribedMs + excess, excessMs };
}
