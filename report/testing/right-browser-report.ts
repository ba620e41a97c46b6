/** Browser reports that are right, for tests: seeded readings that agree with each other. Nothing in them was measured. */
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { buildBrowserReport } from "../browser/build.ts";
import { UNTIMED_STEP } from "../browser/figures.ts";
import { LEAST_OFFICIAL_ROUNDS, PRESCRIBED } from "../browser/official.ts";
import { browserOrderOf, type PlannedBrowserVisit } from "../browser/order.ts";
import {
  type BrowserPlan,
  type BrowserReadings,
  type BrowserReport,
  type BrowserStack,
  type BrowserTiming,
  type RightVisit,
  STEP_COUNT,
} from "../browser/schema.ts";
import { sum } from "../statistics.ts";
import { makeRunProvenance } from "./right-provenance.ts";

const MIB = 2 ** 20;

/** A quick plan of one adapter and one round, but for what is given. */
export function makeBrowserPlan(overrides: Partial<BrowserPlan> = {}): BrowserPlan {
  return {
    runtimeMode: "quick",
    responseMode: "progressive",
    adapters: ["alpha"],
    filtered: false,
    rounds: 1,
    seed: 7,
    headed: true,
    ...PRESCRIBED,
    ...overrides,
  };
}

/** The plan of an official run. */
export function makeOfficialBrowserPlan(overrides: Partial<BrowserPlan> = {}): BrowserPlan {
  return makeBrowserPlan({ runtimeMode: "official", rounds: LEAST_OFFICIAL_ROUNDS, ...overrides });
}

/** The browser of the simulated runs. */
export const STACK: BrowserStack = {
  version: "Chromium/156.0.0.0",
  source: "installed",
  switches: ["--no-first-run"],
  display: { kind: "virtual", description: "a simulated display" },
};

const HEADLESS: BrowserStack = {
  ...STACK,
  switches: [...STACK.switches, "--headless"],
  display: { kind: "headless", description: "none" },
};

/** What may be spoiled in a visit before its report is built; it is a copy of its own. */
export type SpoilVisit = (visit: RightVisit) => RightVisit;

/**
 * A right report of a plan; with `spoil`, of readings that were spoiled before the rows were made of them.
 * @param made how many visits there are; fewer than the plan has, where the run was interrupted
 */
export function makeBrowserReport(
  plan: BrowserPlan,
  spoil: SpoilVisit = (visit) => visit,
  made = Number.POSITIVE_INFINITY,
): BrowserReport {
  let startMs = Date.parse("2026-10-04T08:00:00.000Z");
  const command = ["node", "todo/browser/cli.mjs"];
  const provenance = makeRunProvenance(command, plan.adapters, startMs);
  const visits = browserOrderOf(plan)
    .slice(0, made)
    .map((planned, index) => {
      const visit = spoil(structuredClone(makeRightVisit(plan, planned, startMs, index)));
      startMs += sum(visit.timing.stages.map(({ durationMs }) => durationMs)) + 20;
      return visit;
    });
  const ended = { ...provenance, endedAt: new Date(Math.ceil(startMs)).toISOString() };
  return buildBrowserReport({
    plan,
    provenance: ended,
    browser: plan.headed ? STACK : HEADLESS,
    visits,
    contractVersion: 1,
  });
}

/** One right visit. @param startMs since the epoch; @param nth makes its readings differ from those of others */
export function makeRightVisit(
  plan: BrowserPlan,
  { adapter, round }: PlannedBrowserVisit,
  startMs: number,
  nth: number,
): RightVisit {
  const generator = xoroshiro128plus(plan.seed * 1000 + nth);
  const random = () => uniformFloat64(generator);
  const readyMs = 80 + 20 * plan.adapters.indexOf(adapter) + 10 * random();
  const steps = Array.from({ length: STEP_COUNT }, (_, index) => ({
    n: index + 1,
    ms: index === 0 ? readyMs : index + 1 === UNTIMED_STEP ? null : 10 + 15 * random(),
    problems: [],
  }));
  return {
    status: "right",
    adapter,
    round,
    runtime: "node",
    runtimeVersion: "26.10.0",
    frameworkVersion: "1.2.3",
    deviations: [],
    timing: makeTiming(startMs),
    steps,
    metrics: makeReadings(readyMs, random),
    nullReasons: {},
    titles: { raw: 100, beforeReady: 100, afterReady: 100, later: 100 },
    itemsKept: { sent: 100, kept: 100 },
    protocol: "h2",
    framesPerSecond: 60,
  };
}

function makeTiming(startMs: number): BrowserTiming {
  return {
    startedAt: new Date(Math.ceil(startMs)).toISOString(),
    stages: [
      { stage: "start", durationMs: 210 },
      { stage: "launch", durationMs: 640 },
      { stage: "preflight", durationMs: 310 },
      { stage: "open", durationMs: 2350 },
      { stage: "steps", durationMs: 1900 },
      { stage: "metrics", durationMs: 120 },
      { stage: "close", durationMs: 90 },
      { stage: "stop", durationMs: 14 },
    ],
  };
}

function makeReadings(readyMs: number, random: () => number): BrowserReadings {
  const bytes = (mib: number) => Math.floor(MIB * mib * (0.95 + random() / 10));
  return {
    ttfbMs: 12 + 4 * random(),
    fcpMs: 40 + 4 * random(),
    lcpMs: 50 + 4 * random(),
    cls: random() / 100,
    inpMs: 16 + 8 * Math.floor(3 * random()),
    readyMs,
    jsTransferBytes: 60_000 + Math.floor(100 * random()),
    jsHeapReadyBytes: bytes(4),
    jsHeapEndBytes: bytes(5),
    rendererRssReadyBytes: bytes(120),
    rendererRssEndBytes: bytes(130),
    rendererPssReadyBytes: bytes(70),
    rendererPssEndBytes: bytes(80),
  };
}
