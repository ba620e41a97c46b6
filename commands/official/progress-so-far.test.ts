import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadReport } from "../../report/schema.ts";
import { makeOfficialPlan, makePlan, makeReport } from "../../report/testing/right-report.ts";
import { assertSameSource, isWhole } from "./progress-so-far.ts";
import { type MeasuringStep, officialSteps } from "./steps.ts";

const step = officialSteps({ adapters: 1, rounds: 1 })[1] as MeasuringStep;
const report = makeReport(makeOfficialPlan());
const { sourceDigest } = report.provenance;

function whole(changed: LoadReport, digest = sourceDigest): boolean {
  return isWhole(changed, step, digest);
}

test("an official report of this source stands for its step", () => {
  assert.ok(whole(report));
});

test("one of another source, of other rounds, filtered, quick or of a failed cell doesn't", () => {
  assert.ok(!whole(report, "0".repeat(64)));
  assert.ok(!whole({ ...report, plan: { ...report.plan, rounds: 2 } }));
  assert.ok(!whole({ ...report, filtered: true }));
  assert.ok(!whole(makeReport(makePlan())));
  const failure = { stage: "warm", code: "server-exit", message: "it exited", hint: "See why." };
  const cell = { adapter: "alpha", responseMode: "progressive" } as const;
  const row = { status: "failed", ...cell, attempts: 1, measuredRounds: 0, failure } as const;
  assert.ok(!whole({ ...report, rows: [row] }));
});

test("a row that blocks publication sends its run back to the start", () => {
  const rows = report.rows.map((row) =>
    row.status === "measured" ? { ...row, rankable: false, reasons: ["invalid" as const] } : row,
  );
  assert.ok(!whole({ ...report, rows }));
});

test("a run that was begun with another source isn't gone on with", () => {
  assert.doesNotThrow(() => assertSameSource(step, report.provenance, sourceDigest));
  assert.throws(() => assertSameSource(step, report.provenance, "0".repeat(64)), { code: "resume-refused" });
});
