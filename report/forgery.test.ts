/** What a forger of one single figure gets away with: exactly what the documentation says, and nothing else. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { checkLoadReport } from "./read.ts";
import type { LoadReport, RunPlan } from "./schema.ts";
import { forgeries, type Leaf, numericLeaves, withLeaf } from "./testing/leaves.ts";
import { makeOfficialPlan, makePlan, makeReport } from "./testing/right-report.ts";
import { verifyLoadReport } from "./verify.ts";

/** Numbers of which one can be changed without anything in the report disagreeing, each with why. */
const UNSEEN: Readonly<Record<string, string>> = {
  contractVersion: "the readings don't depend on it",
  "provenance.adapters.*.artifacts.*.bytes": "the artifact isn't in the report",
  "provenance.loadAverage.*": "nothing else depends on it",
  "provenance.machine.memoryBytes": "only a lower bound is known: what the server held",
  "visits.*.timing.stages.*.durationMs": "only lower bounds and the room between two visits are known",
  "visits.*.server.processes": "only bounds are known, by the threads",
  "visits.*.server.threads": "only a lower bound is known: the processes",
  "visits.*.verified.requests": "what the verifier asked isn't in the report",
  "visits.*.warm.allAnsweredMs": "only the warm-up's length bounds it",
  "visits.*.warm.completed": "the warm-up is in no row; only a lower bound is known",
  "visits.*.sampled.rss.*.bytes": "a reading below the peak is in no row",
  "visits.*.sampled.rss.*.processes": "only bounds are known, by the threads and the high-water mark",
  "visits.*.sampled.pss.*.bytes": "a reading below the peak is in no row",
  "visits.*.sampled.samplerCpuMs":
    "enters a figure only in a telemetry control, and hides in the load CPUs' noise",
  "visits.*.sampled.loadCpuTicks.nice": "states of the load CPUs enter a warning only",
  "visits.*.sampled.loadCpuTicks.system": "states of the load CPUs enter a warning only",
  "visits.*.sampled.loadCpuTicks.iowait": "states of the load CPUs enter a warning only",
  "visits.*.sampled.loadCpuTicks.irq": "states of the load CPUs enter a warning only",
  "visits.*.sampled.loadCpuTicks.softirq": "states of the load CPUs enter a warning only",
  "visits.*.sampled.loadCpuTicks.steal": "states of the load CPUs enter a warning only",
  "visits.*.keptBodies.checked": "which bodies were kept isn't in the report",
};

/** In a long list every place is like the others. */
const MOST_OF_A_PATTERN = 4;

function leavesOf(report: LoadReport): Leaf[] {
  return [...Map.groupBy(numericLeaves(report), ({ pattern }) => pattern).values()].flatMap((alike) => {
    const step = Math.max(1, Math.ceil(alike.length / MOST_OF_A_PATTERN));
    return alike.filter((_, index) => index % step === 0 || index === alike.length - 1);
  });
}

function isRefused(forged: LoadReport): boolean {
  const read = checkLoadReport(forged);
  return !read.ok || verifyLoadReport(read.report).length > 0;
}

/** The patterns of which a forgery passes, with the first that did. */
function passing(plan: RunPlan, concerns: (leaf: Leaf) => boolean): Map<string, string> {
  const report = makeReport(plan);
  assert.deepEqual(verifyLoadReport(report), [], "the report is right before it is forged");
  const passed = new Map<string, string>();
  for (const leaf of leavesOf(report).filter(concerns)) {
    for (const changed of forgeries(leaf.value)) {
      if (passed.has(leaf.pattern) || isRefused(withLeaf(report, leaf, changed))) continue;
      passed.set(leaf.pattern, `${leaf.keys.join(".")}: ${leaf.value} made ${changed}`);
    }
  }
  return passed;
}

describe("a report in which one number was changed", () => {
  it("is refused, but for the numbers that nothing else pins", () => {
    const passed = passing(makeOfficialPlan({ adapters: ["alpha", "beta", "gamma"] }), () => true);
    const surprises = [...passed].filter(([pattern]) => !(pattern in UNSEEN));
    assert.deepEqual(surprises, [], "these forgeries pass");
    const stale = Object.keys(UNSEEN).filter((pattern) => !passed.has(pattern));
    assert.deepEqual(stale, [], "these are seen after all: take them off the list");
  });

  it("is refused for every figure of a row over rounds and of a control", () => {
    const plan = makePlan({ rounds: 6, control: "telemetry" });
    const passed = passing(plan, ({ keys }) => keys[0] === "rows" || keys[0] === "control");
    assert.deepEqual([...passed], []);
  });

  it("has its unseen numbers in the documentation", () => {
    const file = path.resolve(import.meta.dirname, "../docs/what-verification-cannot-show.md");
    const text = readFileSync(file, "utf8");
    assert.deepEqual(
      Object.keys(UNSEEN).filter((pattern) => !text.includes(`\`${pattern}\``)),
      [],
    );
  });
});
