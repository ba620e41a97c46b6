import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { verifyReport } from "./any-report.ts";
import { makeBrowserPlan, makeBrowserReport } from "./testing/right-browser-report.ts";
import { makePlan, makeReport } from "./testing/right-report.ts";

const LOAD = makeReport(makePlan());
const BROWSER = makeBrowserReport(makeBrowserPlan());

const rulesOf = (text: string) => verifyReport(text).problems.map(({ rule }) => rule);

describe("verifyReport", () => {
  it("reads and verifies each kind by what it says it is", () => {
    for (const right of [LOAD, BROWSER]) {
      assert.deepEqual(verifyReport(JSON.stringify(right)), { report: right, problems: [] });
    }
    assert.deepEqual(rulesOf(JSON.stringify({ ...LOAD, filtered: true })), ["filtered"]);
    assert.deepEqual(rulesOf(JSON.stringify({ ...BROWSER, filtered: true })), ["filtered"]);
  });

  it("holds a report to the schema of the kind that it calls itself", () => {
    const { report, problems } = verifyReport(JSON.stringify({ ...LOAD, kind: "ssr-browser" }));
    assert.equal(report, null);
    assert.ok(problems.length > 0);
  });

  it("names the kinds that there are for anything else", () => {
    for (const text of ["[]", "null", "{}", '{"kind":"ssr-other"}', '{"kind":"toString"}']) {
      const { report, problems } = verifyReport(text);
      assert.equal(report, null);
      assert.deepEqual(
        problems.map(({ rule, expected }) => [rule, expected]),
        [["kind", "a report of kind ssr-load or ssr-browser"]],
        text,
      );
    }
    assert.deepEqual(rulesOf("<!doctype html>"), ["not-json"]);
    assert.deepEqual(rulesOf(JSON.stringify(BROWSER).slice(0, 900)), ["cut-short"]);
    assert.deepEqual(rulesOf(JSON.stringify({ ...BROWSER, schemaVersion: 2 })), ["schema-version"]);
  });
});
