/** Whole visits, as a run makes them, for benchmarks of what a row is made of. */
import type { BuiltAdapter } from "../../harness/build.ts";
import { BenchError } from "../../harness/errors.ts";
import { markRun } from "../../harness/mark.ts";
import type { SelfContext } from "../../harness/self-benchmark.ts";
import { failedCount, othersShare } from "../../report/figures.ts";
import type { PlannedVisit } from "../../report/order.ts";
import type { MeasuredVisit, RunPlan } from "../../report/schema.ts";
import { visit } from "../visit.ts";
import { realPorts } from "../world.ts";

/** Two starts and stops, four verifications, two loads: what a visit takes beside its windows. */
const VISIT_OVERHEAD_MS = 4000;

/** Shortest that a plan can have: where probes aren't what is measured. */
export const HARDLY_ANY_PROBES = { unrecordedMs: 0, probeMs: 1 } as const;

/** How long one visit of a plan takes. */
export function visitMs(plan: RunPlan): number {
  return plan.unrecordedMs + 3 * plan.probeMs + plan.warmMs + plan.windowMs + VISIT_OVERHEAD_MS;
}

/**
 * Makes a visit.
 * @throws BenchError `load-failed` where the visit failed, or an answer in its window was missing or wrong
 */
export async function makeVisit(
  built: BuiltAdapter,
  planned: Omit<PlannedVisit, "adapter">,
  plan: RunPlan,
  { signal }: SelfContext,
): Promise<MeasuredVisit> {
  await using mark = markRun();
  const cell = { ...planned, adapter: built.manifest.id, built };
  const made = await visit(
    cell,
    plan,
    realPorts(plan, mark, () => undefined),
    signal,
  );
  if (made.status === "failed") throw unusable(cell.adapter, made.failure.message, made.failure.hint);
  if (made.status === "skipped") throw new TypeError("only a run skips visits");
  const failed = failedCount(made.load);
  if (failed === 0) return made;
  throw unusable(
    cell.adapter,
    `${failed} answers in its window were missing or wrong`,
    "Run it alone: node todo/runner/cli.mjs --only ID",
  );
}

function unusable(adapter: string, message: string, hint: string): BenchError {
  return new BenchError({
    stage: "measure",
    code: "load-failed",
    message: `a visit of ${adapter} can't be used: ${message}`,
    hint,
  });
}

/** What others took of the server CPU in each visit, as a row has it. */
export function othersShares(visits: readonly MeasuredVisit[]): number[] {
  return visits.map(othersShare);
}
