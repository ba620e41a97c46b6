import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlan, makeReport } from "./testing/right-report.ts";
import { timeSpent } from "./time-spent.ts";

test("what a visit took is its windows and, stage by stage, what went beyond them", () => {
  const { plan, visits } = makeReport(makePlan());
  const { prescribedMs, spentMs, excessMs } = timeSpent(plan, visits);
  const measured = visits.filter((visit) => visit.status === "measured");
  const windowsMs = plan.unrecordedMs + 3 * plan.probeMs + plan.warmMs + plan.windowMs;
  assert.equal(prescribedMs, measured.length * windowsMs);
  const spent = measured
    .flatMap(({ timing }) => timing.stages)
    .reduce((sum, { durationMs }) => sum + durationMs, 0);
  assert.ok(Math.abs(spentMs - spent) < 1e-6);
  const startMs = measured
    .flatMap(({ timing }) => timing.stages)
    .filter(({ stage }) => stage === "start")
    .reduce((sum, { durationMs }) => sum + durationMs, 0);
  assert.ok(Math.abs((excessMs.get("start") as number) - startMs) < 1e-6);
});

test("a run without a measured visit has spent nothing on windows", () => {
  const plan = makePlan();
  assert.deepEqual(timeSpent(plan, []), { prescribedMs: 0, spentMs: 0, excessMs: new Map() });
});
