/** What a forger of one single field gets away with: exactly what the documentation says, and nothing else. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { checkLoadReport } from "./read.ts";
import type { LoadReport, RunPlan } from "./schema.ts";
import { type Deed, deedsOn, forgeries, type Leaf, numericLeaves, withLeaf } from "./testing/leaves.ts";
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

/** Texts, switches and lists of which the same is true. */
const UNSEEN_FIELDS: Readonly<Record<string, string>> = {
  "provenance.command": "a word of it that isn't a flag of the plan",
  "provenance.command.*": "a word of it that isn't a flag of the plan",
  "provenance.sourceDigest": "the source isn't in the report",
  "provenance.gitRevision": "the repository isn't in the report",
  "provenance.dirty": "the source isn't in the report",
  "provenance.runnerNode": "nothing else depends on it",
  "provenance.loadGenerator": "nothing else depends on it",
  "provenance.adapters.*.displayName": "nothing else depends on it",
  "provenance.adapters.*.artifacts.*.path": "the artifact isn't in the report",
  "provenance.adapters.*.artifacts.*.sha256": "the artifact isn't in the report",
  "provenance.machine.cpuModel": "nothing else depends on it",
  "provenance.machine.kernel": "nothing else depends on it",
  "provenance.machine.os": "nothing else depends on it",
  "provenance.loadAverage": "nothing else depends on it",
  "provenance.nullReasons.machine.governor": "a reason is a text",
  "provenance.nullReasons.machine.boost": "a reason is a text",
  "provenance.startedAt": "only a latest time is known: the first visit's",
  "visits.*.load.completionsPerSecond": "the order of the seconds is in no row",
  "visits.*.load.workers": "which worker is which is in no row",
};

/** In a long list every place is like the others. */
const MOST_OF_A_PATTERN = 4;

function sampleOf<T extends { readonly pattern: string }>(all: readonly T[]): T[] {
  return [...Map.groupBy(all, ({ pattern }) => pattern).values()].flatMap((alike) => {
    const step = Math.max(1, Math.ceil(alike.length / MOST_OF_A_PATTERN));
    return alike.filter((_, index) => index % step === 0 || index === alike.length - 1);
  });
}

function isRefused(forged: LoadReport): boolean {
  const read = checkLoadReport(forged);
  return !read.ok || verifyLoadReport(read.report).length > 0;
}

function rightReport(plan: RunPlan): LoadReport {
  const report = makeReport(plan);
  assert.deepEqual(verifyLoadReport(report), [], "the report is right before it is forged");
  return report;
}

/** The patterns of which a forgery passes, with the first that did. */
function passing(report: LoadReport, leaves: readonly Leaf[]): Map<string, string> {
  const passed = new Map<string, string>();
  for (const leaf of leaves) {
    for (const changed of forgeries(leaf.value)) {
      if (passed.has(leaf.pattern) || isRefused(withLeaf(report, leaf, changed))) continue;
      passed.set(leaf.pattern, `${leaf.keys.join(".")}: ${leaf.value} made ${changed}`);
    }
  }
  return passed;
}

function assertExactly(passed: ReadonlyMap<string, string>, unseen: Readonly<Record<string, string>>): void {
  const surprises = [...passed].filter(([pattern]) => !(pattern in unseen));
  assert.deepEqual(surprises, [], "these forgeries pass");
  const stale = Object.keys(unseen).filter((pattern) => !passed.has(pattern));
  assert.deepEqual(stale, [], "these are seen after all: take them off the list");
}

describe("a report in which one number was changed", () => {
  it("is refused for each number in turn, but for those that nothing else pins", () => {
    const report = rightReport(makeOfficialPlan());
    const passed = passing(report, numericLeaves(report));
    // With one visit to order the seed decides nothing.
    passed.delete("plan.seed");
    assertExactly(passed, UNSEEN);
  });

  it("is refused for every figure of a row over rounds and of a control", () => {
    const report = rightReport(makePlan({ rounds: 6, control: "telemetry", windowMs: 1000 }));
    const leaves = sampleOf(numericLeaves(report)).filter(
      ({ keys }) => keys[0] === "rows" || keys[0] === "control",
    );
    assert.deepEqual([...passing(report, leaves)], []);
  });
});

describe("a report in which one text, switch, null, list or object was changed", () => {
  it("is refused, but for what nothing else pins", () => {
    const report = rightReport(
      makePlan({ adapters: ["alpha", "beta"], responseModes: ["progressive", "complete"] }),
    );
    const passed = new Map<string, string>();
    for (const { pattern, what, forge } of sampleOfDeeds(report)) {
      if (!passed.has(pattern) && !isRefused(forge(report))) passed.set(pattern, what);
    }
    assertExactly(passed, UNSEEN_FIELDS);
  });
});

function sampleOfDeeds(report: LoadReport): Deed[] {
  const deeds = deedsOn(report).map((deed) => ({
    ...deed,
    kind: `${deed.pattern} ${deed.what.split(" ").slice(1).join(" ")}`,
  }));
  return [...Map.groupBy(deeds, ({ kind }) => kind).values()]
    .flatMap((alike) => [...new Set([alike[0], alike.at(-1)])])
    .filter((deed) => deed !== undefined);
}

describe("the documentation", () => {
  it("lists what is unseen", () => {
    const file = path.resolve(import.meta.dirname, "../docs/what-verification-cannot-show.md");
    const text = readFileSync(file, "utf8");
    const patterns = [...Object.keys(UNSEEN), ...Object.keys(UNSEEN_FIELDS)];
    assert.deepEqual(
      patterns.filter((pattern) => !text.includes(`\`${pattern}\``)),
      [],
    );
  });
});
