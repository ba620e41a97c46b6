import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readLoadReport } from "./read.ts";
import type { LoadReport, Problem } from "./schema.ts";
import { makePlan, makeReport } from "./testing/right-report.ts";

const REPORT = makeReport(makePlan());
const TEXT = JSON.stringify(REPORT, null, 1);

function problemsOf(text: string): readonly Problem[] {
  const read = readLoadReport(text);
  assert.equal(read.ok, false);
  return read.ok ? [] : read.problems;
}

function spoiled(spoil: (report: LoadReport) => void): readonly Problem[] {
  const report = structuredClone(REPORT);
  spoil(report);
  return problemsOf(JSON.stringify(report));
}

describe("readLoadReport", () => {
  it("reads what was written, unchanged", () => {
    const read = readLoadReport(TEXT);
    assert.ok(read.ok);
    assert.deepEqual(read.report, REPORT);
  });

  it("calls a file cut short what it is, wherever it was cut", () => {
    for (let length = 0; length < TEXT.length - 1; length += 97) {
      const [problem] = problemsOf(TEXT.slice(0, length));
      assert.equal(problem?.rule, "cut-short", `after ${length}: ${problem?.seen}`);
    }
  });

  it("tells what isn't JSON from it", () => {
    for (const text of ["<!doctype html>", "adapter,rps", `${TEXT} and more`, TEXT.replace(":", ";")]) {
      assert.equal(problemsOf(text)[0]?.rule, "not-json");
    }
  });

  it("names another kind", () => {
    for (const text of ["[]", "null", "7", '"ssr-load"', "{}", '{"kind":"ssr-browser","schemaVersion":1}']) {
      assert.equal(problemsOf(text)[0]?.rule, "kind", text);
    }
    assert.match(problemsOf('{"kind":"ssr-browser"}')[0]?.seen ?? "", /ssr-browser/);
  });

  it("names another schema version, older or newer, before anything else", () => {
    const version = (value: unknown) =>
      problemsOf(JSON.stringify({ kind: "ssr-load", schemaVersion: value }));
    assert.match(version(99)[0]?.seen ?? "", /99, which is newer/);
    assert.match(version(0)[0]?.seen ?? "", /0, which is older/);
    assert.match(version("1")[0]?.seen ?? "", /none/);
    assert.equal(version(99).length, 1);
  });

  it("names the path of every field that breaks the schema, and of no other", () => {
    const problems = spoiled((report) => {
      const [visit] = report.visits;
      assert.ok(visit?.status === "measured");
      visit.load.completed = -1;
      visit.sampled.ticksPerSecond = 99.5;
      Reflect.deleteProperty(visit.warm, "status");
      Object.assign(visit.load, { made: "up" });
      report.provenance.sourceDigest = "short";
    });
    assert.deepEqual(problems.map(({ rule }) => rule).sort(), [
      "provenance.sourceDigest",
      "visits.0.load",
      "visits.0.load.completed",
      "visits.0.sampled.ticksPerSecond",
      "visits.0.warm.status",
    ]);
    assert.ok(problems.some(({ seen }) => seen === 'Unrecognized key: "made"'));
  });

  it("names a visit of no known status", () => {
    const problems = spoiled((report) => {
      Object.assign(report.visits[0] ?? assert.fail(), { status: "perfect" });
    });
    assert.ok(problems.some(({ rule }) => rule.startsWith("visits.0")));
  });

  it("holds addresses to be addresses", () => {
    const problems = spoiled((report) => {
      const [visit] = report.visits;
      assert.ok(visit?.status === "measured");
      visit.deviations = [{ code: "own-client", why: "none is published", documentedAt: "nowhere" }];
    });
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      ["visits.0.deviations.0.documentedAt"],
    );
  });
});
