import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LoadReport } from "../schema.ts";
import { makeBrowserPlan, makeBrowserReport } from "../testing/right-browser-report.ts";
import { makePlan, makeReport } from "../testing/right-report.ts";
import { compare } from "./compare.ts";
import { formatComparison } from "./format.ts";
import { type ComparedFigure, type ComparedRow, comparisonSchema } from "./schema.ts";

const ADAPTERS = ["alpha", "beta"];
const before = makeReport(makePlan({ adapters: ADAPTERS, rounds: 6 }));
const after = makeReport(makePlan({ adapters: ADAPTERS, rounds: 6, seed: 8 }));

function compared(a: LoadReport, b: LoadReport) {
  const comparison = compare({ name: "a.json", report: a }, { name: "b.json", report: b });
  assert.doesNotThrow(() => comparisonSchema.parse(comparison));
  return comparison;
}

function rowOf(a: LoadReport, b: LoadReport, adapter: string): ComparedRow {
  const comparison = compared(a, b);
  assert.ok(comparison.status === "compared", JSON.stringify(comparison));
  return comparison.rows.find((row) => row.adapter === adapter) ?? assert.fail(adapter);
}

describe("two reports", () => {
  test("compare row by row, figure by figure, with an interval from six rounds on", () => {
    const row = rowOf(before, after, "alpha");
    assert.ok(row.status === "compared");
    const rps = row.figures.find(({ path }) => path === "completedRps");
    assert.ok(rps?.ratio != null && rps.low !== null && rps.high !== null && rps.level !== null);
    assert.ok(rps.low <= rps.ratio && rps.ratio <= rps.high);
    assert.ok(rps.level > 0.95);
  });

  test("swapped give the reciprocal and the opposite word", () => {
    const [forth, back] = [rowOf(before, after, "beta"), rowOf(after, before, "beta")];
    assert.ok(forth.status === "compared" && back.status === "compared");
    const opposite = {
      higher: "lower",
      lower: "higher",
      "no difference shown": "no difference shown",
    } as const;
    for (const [index, figure] of forth.figures.entries()) {
      const other: ComparedFigure | undefined = back.figures[index];
      assert.ok(Math.abs((figure.ratio ?? 0) * (other?.ratio ?? 0) - 1) < 1e-9, figure.path);
      assert.equal(figure.word === null ? null : opposite[figure.word], other?.word);
    }
  });

  test("of too few rounds have a ratio, and no word", () => {
    const few = makeReport(makePlan({ adapters: ADAPTERS, rounds: 5 }));
    const row = rowOf(few, after, "alpha");
    assert.ok(row.status === "compared");
    for (const { ratio, level, word } of row.figures) {
      assert.notEqual(ratio, null);
      assert.equal(level, null);
      assert.equal(word, null);
    }
    const text = formatComparison(compared(few, after), { format: "ascii" });
    assert.match(text, /5 and 6 rounds/);
    assert.doesNotMatch(text, /higher|lower/);
  });

  test("of browser runs compare too", () => {
    const plan = makeBrowserPlan({ adapters: ADAPTERS, rounds: 6 });
    const comparison = compare(
      { name: "a", report: makeBrowserReport(plan) },
      { name: "b", report: makeBrowserReport({ ...plan, seed: plan.seed + 1 }) },
    );
    assert.ok(comparison.status === "compared");
    assert.equal(comparison.rows.length, 2);
    assert.ok(comparison.rows.every((row) => row.status === "compared" && row.figures.length > 0));
  });

  test("list what has changed between them", () => {
    const changed = structuredClone(after);
    Object.assign(changed.provenance, { gitRevision: "f".repeat(40) });
    Object.assign(changed.provenance.adapters[0] as object, { frameworkVersion: "2.0.0" });
    const comparison = compared(before, changed);
    assert.ok(comparison.status === "compared");
    assert.deepEqual(
      comparison.changed.map((line) => line.split(":")[0]),
      ["revision", "versions.alpha"],
    );
  });
});

describe("not comparable", () => {
  for (const [what, change, reason] of [
    [
      "another contract",
      (report: LoadReport) => Object.assign(report, { contractVersion: 2 }),
      /^contract version/,
    ],
    [
      "another machine",
      (report: LoadReport) => Object.assign(report.provenance.machine, { cpuModel: "Another" }),
      /^machine\.cpuModel/,
    ],
    [
      "another kind of run",
      (report: LoadReport) => Object.assign(report, { runtimeMode: "official" }),
      /^runtime mode/,
    ],
    ["other windows", (report: LoadReport) => Object.assign(report.plan, { windowMs: 1 }), /^plan\.windowMs/],
  ] as const) {
    test(what, () => {
      const other = structuredClone(after);
      change(other);
      const comparison = compared(before, other);
      assert.ok(comparison.status === "not-comparable");
      assert.match(comparison.reasons.join("\n"), reason);
    });
  }

  test("a load and a browser report", () => {
    const browser = makeBrowserReport(makeBrowserPlan({ adapters: ADAPTERS }));
    const comparison = compare({ name: "a", report: before }, { name: "b", report: browser });
    assert.equal(comparison.status, "not-comparable");
  });

  for (const [what, change, reason] of [
    [
      "a row that isn't rankable",
      (report: LoadReport) =>
        Object.assign(report.rows[0] as object, { rankable: false, reasons: ["stalled"] }),
      "B not rankable: stalled",
    ],
    [
      "another runtime",
      (report: LoadReport) => Object.assign(report.rows[0] as object, { runtimeVersion: "27.0.0" }),
      "node 26.10.0 in A, node 27.0.0 in B",
    ],
    ["a row that is missing", (report: LoadReport) => report.rows.splice(0, 1), "not in B"],
  ] as const) {
    test(what, () => {
      const other = structuredClone(after);
      change(other);
      const row = rowOf(before, other, "alpha");
      assert.deepEqual(row, {
        status: "not-comparable",
        adapter: "alpha",
        responseMode: "progressive",
        reason,
      });
      assert.equal(rowOf(before, other, "beta").status, "compared");
    });
  }
});
