/**
 * What a forger gets away with who changes readings and then makes rows, warnings and verdicts of them by the suite's
 * own code: exactly what the documentation says.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as hdr from "hdr-histogram-js";
import { buildLoadReport } from "./build.ts";
import { checkConsistency } from "./consistency.ts";
import { orderOf } from "./order.ts";
import type { LoadReadings, LoadReport, MeasuredVisit, RunPlan, Timings } from "./schema.ts";
import { makeLink } from "./testing/right-provenance.ts";
import { makeOfficialPlan, makePlan, makeReport, makeVisit, timings } from "./testing/right-report.ts";
import { verifyLoadReport } from "./verify.ts";

const PLAN = makeOfficialPlan({ adapters: ["alpha", "beta"], rounds: 2, windowMs: 20_000 });
const RIGHT = makeReport(PLAN);

/** The report of the same run with other readings, its rows made anew. */
function forge(change: (report: LoadReport) => void, from = RIGHT): LoadReport {
  const report = structuredClone(from);
  change(report);
  const { plan, provenance, visits, contractVersion } = report;
  return buildLoadReport({ plan, provenance, visits, contractVersion });
}

function visitOf({ visits }: LoadReport, adapter: string, round: number): MeasuredVisit {
  const visit = visits.find((one) => one.adapter === adapter && one.round === round);
  return visit?.status === "measured" ? visit : assert.fail();
}

const ofAlpha = (change: (visit: MeasuredVisit) => void) => (report: LoadReport) => {
  for (let round = 1; round <= report.plan.rounds; round += 1) change(visitOf(report, "alpha", round));
};

/** The readings of a histogram, each from the middle of its bucket, made others by `change` and put into a new one. */
function remade({ histogram }: Timings, change: (us: number) => number[]): Timings {
  const decoded = hdr.decodeFromCompressedBase64(histogram) as hdr.JsHistogram;
  const readings: number[] = [];
  for (let index = 0; index < decoded.countsArrayLength; index += 1) {
    const count = decoded.getCountAtIndex(index);
    const us = decoded.medianEquivalentValue(decoded.valueFromIndex(index));
    for (let nth = 0; nth < count; nth += 1) readings.push(...change(us).map(Math.round));
  }
  return timings(readings);
}

function scaleLatencies(load: LoadReadings, factor: number): void {
  for (const name of ["latency", "firstByte"] as const)
    load[name] = remade(load[name], (us) => [us * factor]);
}

/** Twice as many of everything that is counted. */
function doubleCounts(load: LoadReadings, factor: number): void {
  for (const name of ["latency", "firstByte"] as const) {
    load[name] = remade(load[name], (us) => [us * factor, us * factor]);
  }
  load.completed *= 2;
  load.sent = load.completed;
  load.bodyBytes.sum *= 2;
  load.longestGapMs *= factor;
  load.completionsPerSecond = load.completionsPerSecond.map((completions) => completions * 2);
  for (const worker of load.workers) {
    worker.completed *= 2;
    worker.sent = worker.completed;
  }
}

const REFUSED: readonly (readonly [what: string, rule: RegExp, change: (report: LoadReport) => void])[] = [
  [
    "twice the requests at the same latencies",
    /time-in-flight/,
    ofAlpha(({ load }) => doubleCounts(load, 1)),
  ],
  [
    "half the latencies at the same rate",
    /rate-times-latency/,
    ofAlpha(({ load }) => scaleLatencies(load, 0.5)),
  ],
  [
    "half the latencies, the rest of the time called waiting",
    /waiting/,
    ofAlpha(({ load }) => {
      scaleLatencies(load, 0.5);
      load.inFlightMs /= 2;
      load.waitingMs = load.inFlightMs;
    }),
  ],
  [
    "a shorter window",
    /window-length/,
    ofAlpha(({ load }) => {
      load.windowMs *= 0.95;
    }),
  ],
  [
    "the better round written over the worse",
    /visits\.\d\.latency/,
    (report) => {
      visitOf(report, "alpha", 2).load = structuredClone(visitOf(report, "alpha", 1).load);
    },
  ],
  [
    "the better round written over the worse, with a little changed",
    /visits\.\d\.latency/,
    (report) => {
      const copy = structuredClone(visitOf(report, "alpha", 1).load);
      copy.latency.sumUs += 1;
      copy.inFlightMs += 0.1;
      for (const worker of copy.workers) worker.cpuMs += 0.1;
      visitOf(report, "alpha", 2).load = copy;
    },
  ],
  [
    "another adapter's memory",
    /visits\.\d\.rss/,
    (report) => {
      visitOf(report, "beta", 1).sampled.rss = structuredClone(visitOf(report, "alpha", 1).sampled.rss);
      visitOf(report, "beta", 1).sampled.pss = structuredClone(visitOf(report, "alpha", 1).sampled.pss);
    },
  ],
  [
    "histograms of two visits exchanged",
    /latency-count/,
    (report) => {
      const [one, other] = [visitOf(report, "alpha", 1).load, visitOf(report, "beta", 1).load];
      [one.latency, other.latency] = [other.latency, one.latency];
    },
  ],
  [
    "the last round left out of a run that was told its rounds",
    /provenance\.command/,
    (report) => {
      report.provenance.command.push("--rounds", "2");
      leaveOutLastRound(report);
    },
  ],
];

function leaveOutLastRound(report: LoadReport): void {
  report.plan = { ...report.plan, rounds: 1 };
  report.visits = report.visits.filter(({ round }) => round === 1);
}

const PASSES: readonly (readonly [what: string, change: (report: LoadReport) => void])[] = [
  [
    "everything that is counted doubled, everything timed halved",
    ofAlpha(({ load }) => doubleCounts(load, 0.5)),
  ],
  ["latencies 4 % lower", ofAlpha(({ load }) => scaleLatencies(load, 0.96))],
  [
    "idle called softirq",
    ofAlpha(({ sampled: { serverCpuTicks } }) => {
      serverCpuTicks.softirq += serverCpuTicks.idle;
      serverCpuTicks.idle = 0;
    }),
  ],
  [
    "memory halved throughout",
    ofAlpha(({ sampled }) => {
      for (const reading of [...sampled.rss, ...sampled.pss]) reading.bytes = Math.floor(reading.bytes / 2);
      sampled.vmHwmBytes = Math.floor((sampled.vmHwmBytes ?? 0) / 2);
    }),
  ],
  ["the last round left out of a run that wasn't told its rounds", leaveOutLastRound],
  [
    "the tail of a histogram folded into its middle",
    ofAlpha(({ load }) => {
      const middle = load.latency.sumUs / load.latency.count;
      load.latency = remade(load.latency, (us) => [us > 1.3 * middle ? middle : us]);
      load.firstByte = remade(load.firstByte, (us) => [Math.min(us, 0.65 * middle)]);
    }),
  ],
  [
    "the server's own ticks called softirq",
    ofAlpha(({ sampled: { cpu, serverCpuTicks } }) => {
      const half = Math.floor(serverCpuTicks.user / 2);
      cpu.userMs /= 2;
      serverCpuTicks.user -= half;
      serverCpuTicks.softirq += half;
    }),
  ],
  ["two adapters' visits exchanged", exchangeAdapters],
  ["an adapter left out, and a seed found that gives the same order", leaveOutBeta],
  [
    "a dirty source called clean, or the other way round",
    (report) => {
      report.provenance.dirty = true;
    },
  ],
  [
    "the registry called a linked checkout, or the other way round",
    (report) => {
      report.provenance.dependencyMode = "local-source";
      report.provenance.links = [makeLink("a")];
    },
  ],
];

function exchangeAdapters(report: LoadReport): void {
  for (let round = 1; round <= report.plan.rounds; round += 1) {
    const [one, other] = [visitOf(report, "alpha", round), visitOf(report, "beta", round)];
    const of = ({ adapter, timing }: MeasuredVisit) => ({ adapter, timing });
    const [asOne, asOther] = [
      { ...other, ...of(one) },
      { ...one, ...of(other) },
    ];
    report.visits = report.visits.map((visit) => (visit === one ? asOne : visit === other ? asOther : visit));
  }
}

function leaveOutBeta(report: LoadReport): void {
  report.visits = report.visits.filter(({ adapter }) => adapter === "alpha");
  report.provenance.adapters.pop();
  report.plan = { ...report.plan, adapters: ["alpha"] };
}

/** What went wrong in alpha's visits, how it is hidden, and the reason or warning that is gone then. */
const HIDDEN: readonly (readonly [
  what: string,
  trace: string,
  spoil: (visit: MeasuredVisit) => void,
  hide: (visit: MeasuredVisit) => void,
])[] = [
  [
    "errors taken out of all counts",
    "overloaded",
    ({ load }) => addTimeouts(load, 3),
    ({ load }) => addTimeouts(load, -3),
  ],
  [
    "wrong bodies taken out of those kept",
    "invalid",
    ({ keptBodies }) => {
      keptBodies.wrong = 1;
      keptBodies.problems = [{ rule: "title", expected: "a", seen: "b" }];
    },
    ({ keptBodies }) => {
      keptBodies.wrong = 0;
      keptBodies.problems = [];
    },
  ],
  [
    "a warning taken out that only the visit gives",
    "killed",
    ({ warnings }) =>
      void warnings.push({ code: "killed", cell: "alpha/progressive", message: "it was killed" }),
    ({ warnings }) => void warnings.pop(),
  ],
  [
    "steal called softirq",
    "disturbed",
    ({ sampled: { cpu, serverCpuTicks } }) => {
      cpu.userMs -= 5000;
      serverCpuTicks.user -= 500;
      serverCpuTicks.steal += 500;
    },
    ({ sampled: { serverCpuTicks } }) => {
      serverCpuTicks.softirq += serverCpuTicks.steal;
      serverCpuTicks.steal = 0;
    },
  ],
  [
    "a stall spread over its seconds",
    "stalled",
    ({ load }) => {
      const [first, second] = load.completionsPerSecond;
      load.completionsPerSecond.splice(0, 2, 0, (first ?? 0) + (second ?? 0));
      load.longestGapMs = 1500;
    },
    ({ load }) => {
      const both = load.completionsPerSecond[1] ?? 0;
      load.completionsPerSecond.splice(0, 2, Math.floor(both / 2), Math.ceil(both / 2));
      load.longestGapMs = 900;
    },
  ],
  [
    "a probe made slower",
    "unsaturated-probe",
    (visit) => setDoubledProbe(visit, 1.3),
    (visit) => setDoubledProbe(visit, 1),
  ],
];

function addTimeouts(load: LoadReadings, timeouts: number): void {
  const [worker = assert.fail()] = load.workers;
  load.errors.timeout += timeouts;
  load.sent += timeouts;
  worker.failed += timeouts;
  worker.sent += timeouts;
}

function setDoubledProbe({ probes }: MeasuredVisit, factor: number): void {
  const [single = assert.fail(), doubled = assert.fail()] = probes;
  doubled.completed = Math.round(single.completed * factor);
  doubled.completedRps = doubled.completed / (doubled.windowMs / 1000);
}

function tracesOf({ rows, warnings }: LoadReport): string[] {
  const reasons = rows.flatMap((row) => (row.status === "measured" ? row.reasons : []));
  return [...reasons, ...warnings.map(({ code }) => code)];
}

/** 512 connections that are said to have had 148,906 answers a second, the slowest hundredth after 2.19 ms. */
function impossibleVisit(): { visit: MeasuredVisit; plan: RunPlan } {
  const connections = 512;
  const plan = makePlan({ connections, windowMs: 20_000 });
  const [planned = assert.fail()] = orderOf(plan);
  const visit = makeVisit(plan, planned, 0, 0);
  const perSecond = 148_906;
  const completed = perSecond * 20;
  const histogram = (us: number): Timings => {
    const all = hdr.build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: 60_000_000,
      numberOfSignificantValueDigits: 3,
    });
    const slow = Math.ceil(completed / 100);
    all.recordValueWithCount(us, completed - slow);
    all.recordValueWithCount(2190, slow);
    const sumUs = us * (completed - slow) + 2190 * slow;
    return { histogram: hdr.encodeIntoCompressedBase64(all), count: completed, sumUs, maxUs: 2190 };
  };
  const { bodyBytes } = visit.verified;
  visit.load = {
    ...visit.load,
    completed,
    sent: completed,
    unfinished: connections,
    inFlightMs: connections * 20_000,
    latency: histogram(1500),
    firstByte: histogram(1000),
    bodyBytes: { sum: bodyBytes * completed, min: bodyBytes, max: bodyBytes },
    longestGapMs: 1,
    completionsPerSecond: Array.from({ length: 20 }, () => perSecond),
    workers: visit.load.workers.map((worker) => ({
      ...worker,
      sent: completed / 2,
      completed: completed / 2,
    })),
  };
  return { visit, plan };
}

describe("a report whose readings and rows were forged together", () => {
  it("is right before it is forged", () => assert.deepEqual(verifyLoadReport(forge(() => undefined)), []));

  for (const [what, rule, change] of REFUSED) {
    it(`is refused: ${what}`, () => {
      const rules = verifyLoadReport(forge(change)).map((problem) => problem.rule);
      assert.ok(
        rules.some((found) => rule.test(found)),
        `found ${rules.join(", ") || "nothing"}`,
      );
    });
  }

  for (const [what, change] of PASSES) {
    it(`passes, as the documentation says: ${what}`, () => {
      assert.deepEqual(verifyLoadReport(forge(change)), []);
    });
  }

  for (const [what, trace, spoil, hide] of HIDDEN) {
    it(`passes, as the documentation says: ${what}`, () => {
      const honest = makeReport(PLAN, (visit) => {
        if (visit.adapter === "alpha") spoil(visit);
        return visit;
      });
      assert.ok(tracesOf(honest).includes(trace), tracesOf(honest).join(", "));
      const hidden = forge(ofAlpha(hide), honest);
      assert.ok(!tracesOf(hidden).includes(trace));
      assert.deepEqual(verifyLoadReport(hidden), []);
    });
  }

  it("is refused for 512 connections, 148,906 responses a second and a P99 of 2.19 ms, by Little's law alone", () => {
    const { visit, plan } = impossibleVisit();
    const problems = checkConsistency(visit, plan);
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      ["rate-times-latency"],
    );
    assert.match(problems[0]?.expected ?? "", /512 connections in flight = rate × mean latency/);
    assert.match(problems[0]?.seen ?? "", /^148906\.0\/s × 1\.507 ms .*: 224\./);
  });
});
