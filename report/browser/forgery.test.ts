/** What a forger of one single figure of a browser report gets away with: exactly what the documentation says. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { forgeries, type Leaf, numericLeaves, withLeaf } from "../testing/leaves.ts";
import {
  makeBrowserPlan,
  makeBrowserReport,
  makeOfficialBrowserPlan,
} from "../testing/right-browser-report.ts";
import { checkBrowserReport } from "./read.ts";
import type { BrowserPlan, BrowserReport } from "./schema.ts";
import { verifyBrowserReport } from "./verify.ts";

/** Numbers of which one can be changed without anything in the report disagreeing, each with why. */
const UNSEEN: Readonly<Record<string, string>> = {
  contractVersion: "the readings don't depend on it",
  "provenance.adapters.*.artifacts.*.bytes": "the artifact isn't in the report",
  "provenance.loadAverage.*": "nothing else depends on it",
  "provenance.machine.allowedCpus.*": "no CPU of the plan depends on it",
  "provenance.machine.memoryBytes": "only a lower bound is known: what the renderer held",
  "visits.*.timing.stages.*.durationMs": "only lower bounds and the room between two visits are known",
  "visits.*.framesPerSecond": "only the least is known",
};

function isRefused(forged: BrowserReport): boolean {
  const read = checkBrowserReport(forged);
  return !read.ok || verifyBrowserReport(read.report).length > 0;
}

/** The patterns of which a forgery passes, with the first that did. */
function passing(plan: BrowserPlan, concerns: (leaf: Leaf) => boolean): Map<string, string> {
  const report = makeBrowserReport(plan);
  assert.deepEqual(verifyBrowserReport(report), [], "the report is right before it is forged");
  const passed = new Map<string, string>();
  for (const leaf of numericLeaves(report).filter(concerns)) {
    for (const changed of forgeries(leaf.value)) {
      if (passed.has(leaf.pattern) || isRefused(withLeaf(report, leaf, changed))) continue;
      passed.set(leaf.pattern, `${leaf.keys.join(".")}: ${leaf.value} made ${changed}`);
    }
  }
  return passed;
}

describe("a browser report in which one number was changed", () => {
  it("is refused, but for the numbers that nothing else pins", () => {
    const passed = passing(makeBrowserPlan({ adapters: ["alpha", "beta", "gamma"] }), () => true);
    const surprises = [...passed].filter(([pattern]) => !(pattern in UNSEEN));
    assert.deepEqual(surprises, [], "these forgeries pass");
    const stale = Object.keys(UNSEEN).filter((pattern) => !passed.has(pattern));
    assert.deepEqual(stale, [], "these are seen after all: take them off the list");
  });

  it("is refused for every figure of a row over rounds, and for all of the plan", () => {
    const plan = makeOfficialBrowserPlan({ adapters: ["alpha", "beta"] });
    const passed = passing(plan, ({ keys }) => keys[0] === "rows" || keys[0] === "plan");
    assert.deepEqual([...passed], []);
  });

  it("has its unseen numbers in the documentation", () => {
    const file = path.resolve(import.meta.dirname, "../../docs/what-verification-cannot-show.md");
    const [, section = ""] = readFileSync(file, "utf8").split("\n## Numbers of a browser report");
    assert.deepEqual(
      Object.keys(UNSEEN).filter((pattern) => !section.includes(`\`${pattern}\``)),
      [],
    );
  });
});
