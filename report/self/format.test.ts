import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlan, makeReport } from "../testing/right-report.ts";
import { formatDocument } from "./document.ts";
import { medianFigure, type SelfOutcome, type SelfResult } from "./findings.ts";
import { formatResult, formatValue, formatVerdicts } from "./format.ts";

const result = (outcome: SelfOutcome, stealShare = 0): SelfResult => ({
  benchmark: "one",
  about: "what it costs",
  suspects: "the moon",
  durationMs: 61_000,
  stealShare,
  outcome,
});
const measured = (value: number, stealShare = 0): SelfResult => {
  const figures = [
    medianFigure("cost", "µs", [value, value + 1], { kind: "at-most", limit: 100 }),
    medianFigure("rate|s", "/s", [1234.4]),
  ];
  const findings = { subject: "two windows", figures, othersShares: [0.01, 0.02] };
  return result({ status: "measured", findings }, stealShare);
};

test("values have their unit's digits, and shares are percent", () => {
  assert.equal(formatValue(0.00123, "share"), "0.12 %");
  assert.equal(formatValue(1.02345, "ratio"), "1.023");
  assert.equal(formatValue(58.25, "µs"), "58.3 µs");
});

test("a result shows figure, spread, target, verdict, steal and others' share", () => {
  const text = formatResult(measured(50), "markdown");
  assert.match(text, /^## one\n\nWhat it costs\.\nTwo windows\.\n\n\| figure /);
  assert.match(
    text,
    /\| cost \| 50\.5 µs \| 50\.0 µs to 51\.0 µs \(range of 2\) \| at most 100\.0 µs \| met \|/,
  );
  assert.match(text, /\| rate\\\|s \| 1234 \/s \| one reading \| {2}\| {2}\|/);
  assert.match(text, /Took 61\.00 s; steal 0\.00 %, others' share of the server CPU 2\.00 % at most\.$/);
});

test("a miss is told with what it may come from, in a terminal as well", () => {
  for (const format of ["markdown", "terminal"] as const) {
    const text = formatResult(measured(101, 0.05), format);
    assert.match(text, /missed/);
    assert.match(text, /may come from: the hypervisor gave 5\.0 % .*; the moon\.$/);
  }
});

test("what was skipped or failed says why", () => {
  assert.match(
    formatResult(result({ status: "skipped", reason: "no tool" }), "terminal"),
    /Skipped: no tool\./,
  );
  const failed: SelfOutcome = { status: "failed", code: "load-failed", message: "it broke", hint: "mend it" };
  assert.match(formatResult(result(failed), "terminal"), /Failed \(load-failed\): it broke\nmend it$/);
});

test("the document has machine, date, revision and every result", () => {
  const { machine, sourceDigest } = makeReport(makePlan()).provenance;
  const results = [measured(50), measured(101)];
  assert.equal(formatVerdicts(results), "1 met, 1 missed");
  const text = formatDocument(results, {
    command: "npm run bench:self",
    startedAt: new Date(0),
    endedAt: new Date(90_000),
    machine,
    revision: "abc",
    dirty: true,
    sourceDigest,
    runnerNode: "26.10.0",
  });
  assert.match(text, /1970-01-01T00:00:00\.000Z, 1\.5 min/);
  assert.ok(text.includes(machine.cpuModel));
  assert.match(text, /abc, with uncommitted changes/);
  assert.match(text, /Targets: 1 met, 1 missed\. Not met in: one;/);
  assert.equal(text.match(/^## one$/gm)?.length, 2);
});
