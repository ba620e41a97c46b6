import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkConsistency } from "./consistency.ts";
import { orderOf } from "./order.ts";
import type { MeasuredVisit, RunPlan } from "./schema.ts";
import { makeOfficialPlan, makePlan, makeVisit, timings } from "./testing/right-report.ts";

const PLAN = makeOfficialPlan();

function visitOf(plan: RunPlan): MeasuredVisit {
  return makeVisit(plan, orderOf(plan)[0] ?? assert.fail(), Date.parse("2026-10-04T08:00:00.000Z"), 0);
}

const RIGHT = visitOf(PLAN);

/** What breaks which rule: readings that can't be true together. */
const SPOILED: readonly [rule: string, what: string, spoil: (visit: MeasuredVisit) => void][] = [
  [
    "in-flight",
    "time in flight for 6 % fewer connections",
    ({ load }) => {
      load.inFlightMs *= 0.94;
    },
  ],
  [
    "in-flight",
    "waiting on top of a whole window in flight",
    ({ load }) => {
      load.waitingMs = 64 * 2000;
    },
  ],
  [
    "sent",
    "more sent than ended",
    ({ load }) => {
      load.sent += 200;
    },
  ],
  [
    "unfinished",
    "more unfinished than connections",
    ({ load }) => {
      load.unfinished = 65;
    },
  ],
  [
    "open-at-start",
    "more open at the start than connections",
    ({ load }) => {
      load.sent -= 65;
    },
  ],
  [
    "workers-sent",
    "a worker that sent less than it says",
    ({ load }) => {
      (load.workers[0] ?? assert.fail()).sent -= 1;
    },
  ],
  [
    "workers-completed",
    "one completion too many",
    ({ load }) => {
      load.completed += 1;
    },
  ],
  [
    "workers-failed",
    "an error that no worker had",
    ({ load }) => {
      load.errors.reset += 1;
    },
  ],
  [
    "worker-cpu",
    "a worker busier than its CPU",
    ({ load }) => {
      (load.workers[1] ?? assert.fail()).cpuMs = 20_100;
    },
  ],
  [
    "latency-histogram",
    "a completion without a reading",
    ({ load }) => {
      load.latency.count += 1;
    },
  ],
  [
    "latency-count",
    "a reading without a completion",
    ({ load }) => {
      load.latency.count += 1;
    },
  ],
  [
    "latency-sum",
    "a mean that the histogram can't have",
    ({ load }) => {
      load.latency.sumUs *= 0.99;
    },
  ],
  [
    "latency-max",
    "a maximum that the histogram can't have",
    ({ load }) => {
      load.latency.maxUs *= 0.99;
    },
  ],
  [
    "latency-histogram",
    "no histogram",
    ({ load }) => {
      load.latency.histogram = "";
    },
  ],
  [
    "first-byte-p50",
    "first bytes after the last",
    ({ load }) => {
      swapTimings(load);
    },
  ],
  [
    "first-byte-sum",
    "first bytes after the last",
    ({ load }) => {
      swapTimings(load);
    },
  ],
  [
    "seconds-sum",
    "a second better than the window",
    ({ load }) => {
      (load.completionsPerSecond[3] as number) += 1;
    },
  ],
  [
    "seconds",
    "a second too many",
    ({ load }) => {
      load.completionsPerSecond.push(0);
    },
  ],
  [
    "seconds",
    "a second left out",
    ({ load }) => {
      load.completionsPerSecond.pop();
    },
  ],
  [
    "longest-gap",
    "a gap shorter than the mean gap",
    ({ load }) => {
      load.longestGapMs = 0.1;
    },
  ],
  [
    "longest-gap",
    "a gap in seconds that weren't empty",
    ({ load }) => {
      load.longestGapMs = 4000;
    },
  ],
  [
    "longest-gap",
    "a gap longer than the window",
    ({ load }) => {
      load.longestGapMs = 20_001;
    },
  ],
  [
    "body-bytes-least",
    "a body shorter than the verified one",
    ({ verified }) => {
      verified.bodyBytes *= 1.03;
    },
  ],
  [
    "body-bytes-most",
    "a body longer than the verified one",
    ({ verified }) => {
      verified.bodyBytes *= 0.97;
    },
  ],
  [
    "body-bytes-sum",
    "a sum beyond the largest body",
    ({ load }) => {
      load.bodyBytes.sum += 1;
    },
  ],
  [
    "body-bytes-order",
    "a least body above the most",
    ({ load }) => {
      load.bodyBytes.min = 99_999;
    },
  ],
  [
    "body-bytes",
    "bodies without a size",
    ({ load }) => {
      load.bodyBytes.min = null;
    },
  ],
  [
    "time-in-flight",
    "less time in flight than completed requests took",
    ({ load }) => {
      load.inFlightMs -= 64 * 500;
      load.waitingMs += 64 * 500;
    },
  ],
  [
    "rate-times-latency",
    "a rate too low for its latency and its connections",
    ({ load }) => {
      load.latency.sumUs *= 0.9;
    },
  ],
  [
    "waiting",
    "waiting without anything that failed",
    ({ load }) => {
      load.waitingMs = 64 * 100;
    },
  ],
  [
    "timeouts",
    "more timeouts than fit",
    ({ load }) => {
      load.errors.timeout = 1000;
    },
  ],
  [
    "kept-bodies",
    "no body kept",
    ({ keptBodies }) => {
      keptBodies.checked = 0;
    },
  ],
  [
    "kept-bodies-problems",
    "a wrong body without its problem",
    ({ keptBodies }) => {
      keptBodies.wrong = 1;
    },
  ],
  [
    "samples",
    "too few samples",
    ({ sampled }) => {
      sampled.rss.splice(40);
    },
  ],
  [
    "samples",
    "more samples than fit",
    ({ sampled }) => {
      sampled.rss.push(...sampled.rss);
    },
  ],
  [
    "rss-time",
    "a sample after the window",
    ({ sampled }) => {
      (sampled.rss.at(-1) ?? assert.fail()).atMs = 20_001;
    },
  ],
  [
    "rss-time",
    "a sample before its time",
    ({ sampled }) => {
      (sampled.rss[9] ?? assert.fail()).atMs = 1650;
    },
  ],
  [
    "rss-order",
    "samples out of order",
    ({ sampled }) => {
      (sampled.rss[9] ?? assert.fail()).atMs = 2500;
    },
  ],
  [
    "rss-high-water",
    "more memory than ever held",
    ({ sampled }) => {
      (sampled.rss[9] ?? assert.fail()).bytes *= 2;
    },
  ],
  [
    "pss-within-rss",
    "PSS above RSS",
    ({ sampled }) => {
      (sampled.pss[2] ?? assert.fail()).bytes *= 2;
    },
  ],
  [
    "pss-time",
    "PSS without RSS",
    ({ sampled }) => {
      (sampled.pss[2] ?? assert.fail()).atMs += 0.5;
    },
  ],
  [
    "samples-pss",
    "a PSS reading left out",
    ({ sampled }) => {
      sampled.pss.pop();
    },
  ],
  [
    "samples-pss",
    "all PSS readings, and a reason why one is missing",
    ({ sampled }) => {
      sampled.pssMissing = "smaps_rollup can't be read";
    },
  ],
  [
    "pss-missing",
    "no PSS and no reason",
    ({ sampled }) => {
      sampled.pss = [];
    },
  ],
  [
    "server-cpu",
    "a server busier than its CPU",
    ({ sampled }) => {
      sampled.cpu.userMs = 21_000;
    },
  ],
  [
    "server-cpu-busy",
    "a server busier than its CPU was",
    ({ sampled }) => {
      sampled.serverCpuTicks.user -= 600;
      sampled.serverCpuTicks.idle += 600;
    },
  ],
  [
    "load-cpu-busy",
    "workers busier than their CPU was",
    ({ sampled }) => {
      sampled.loadCpuTicks.user -= 600;
      sampled.loadCpuTicks.idle += 600;
    },
  ],
  [
    "server-cpu-ticks",
    "ticks of a longer window",
    ({ sampled }) => {
      sampled.serverCpuTicks.user += 500;
    },
  ],
  [
    "server-cpu-ticks",
    "ticks of another CPU",
    ({ sampled }) => {
      sampled.serverCpuTicks.cpus = [1];
    },
  ],
  [
    "load-cpu-ticks",
    "ticks of a longer window",
    ({ sampled }) => {
      sampled.loadCpuTicks.idle += 500;
    },
  ],
  [
    "server-cpus",
    "a server on the load's CPU",
    ({ server }) => {
      server.cpus = [1];
    },
  ],
  [
    "worker-cpus",
    "a worker on the server's CPU",
    ({ load }) => {
      (load.workers[0] ?? assert.fail()).cpus = [0];
    },
  ],
  [
    "worker-cpus",
    "a worker's CPU named twice",
    ({ load }) => {
      (load.workers[0] ?? assert.fail()).cpus.push(1);
    },
  ],
  [
    "threads",
    "fewer threads than processes",
    ({ server }) => {
      server.threads = 0;
    },
  ],
  [
    "sampler-cpu",
    "readings that took no time",
    ({ sampled }) => {
      sampled.samplerCpuMs = null;
    },
  ],
  [
    "probe-rate",
    "a probe's rate that isn't its count",
    ({ probes }) => {
      (probes[1] ?? assert.fail()).completedRps *= 1.01;
    },
  ],
  [
    "probe-connections",
    "probes in another order",
    ({ probes }) => {
      probes.reverse().push(probes.shift() ?? assert.fail());
    },
  ],
  [
    "probes",
    "a probe left out",
    ({ probes }) => {
      probes.pop();
    },
  ],
  [
    "probe-timeouts",
    "more timeouts than errors",
    ({ probes }) => {
      (probes[0] ?? assert.fail()).timeouts = 1;
    },
  ],
  [
    "warm-length",
    "a warm-up cut short",
    ({ warm }) => {
      warm.durationMs = 1000;
    },
  ],
  [
    "warm-ok-answered",
    "a warm-up that wasn't ok",
    ({ warm }) => {
      warm.allAnsweredMs = null;
    },
  ],
  [
    "warm-extended-answered",
    "an extension without need",
    ({ warm }) => {
      warm.status = "extended";
    },
  ],
  [
    "warm-short-answered",
    "a limit that didn't come",
    ({ warm }) => {
      warm.status = "short";
    },
  ],
  [
    "warm-answers",
    "fewer answers than connections",
    ({ warm }) => {
      warm.completed = 60;
    },
  ],
  [
    "stages",
    "a visit without a restart",
    ({ timing }) => {
      timing.stages.splice(5, 1);
    },
  ],
  [
    "stages",
    "a stage too many",
    ({ timing }) => {
      timing.stages.push({ stage: "stop", durationMs: 1 });
    },
  ],
  [
    "stage-measure",
    "a window longer than its stage",
    ({ timing }) => {
      (timing.stages[8] ?? assert.fail()).durationMs = 5000;
    },
  ],
  [
    "stage-probe",
    "probes longer than their stage",
    ({ timing }) => {
      (timing.stages[2] ?? assert.fail()).durationMs = 5000;
    },
  ],
  [
    "chunks",
    "a progressive answer without chunks",
    ({ verified }) => {
      verified.chunks = 0;
    },
  ],
  [
    "window-length",
    "another window than the plan's",
    ({ load }) => {
      load.windowMs = 19_000;
    },
  ],
];

function swapTimings(load: MeasuredVisit["load"]): void {
  [load.latency, load.firstByte] = [load.firstByte, load.latency];
}

describe("checkConsistency", () => {
  it("finds nothing in right visits, of either mode, quick or official, with and without telemetry", () => {
    const plans = [
      PLAN,
      makePlan(),
      makePlan({ responseModes: ["complete"] }),
      makePlan({ control: "telemetry", seed: 8 }),
      makePlan({ connections: 5, windowMs: 2500 }),
      makePlan({ windowMs: 500 }),
    ];
    for (const plan of plans) {
      for (const [nth, planned] of orderOf(plan).entries()) {
        assert.deepEqual(checkConsistency(makeVisit(plan, planned, 0, nth), plan), []);
      }
    }
  });

  it("finds nothing in a window in which nothing completed", () => {
    const plan = makePlan();
    const { load, ...visit } = visitOf(plan);
    const silent: MeasuredVisit = {
      ...visit,
      keptBodies: { checked: 0, wrong: 0, problems: [] },
      load: {
        ...load,
        sent: 0,
        completed: 0,
        unfinished: 64,
        inFlightMs: 64 * 3000,
        latency: timings([]),
        firstByte: timings([]),
        bodyBytes: { sum: 0, min: null, max: null },
        longestGapMs: 3000,
        completionsPerSecond: load.completionsPerSecond.map(() => 0),
        starvedConnections: 64,
        workers: load.workers.map((worker) => ({ ...worker, sent: 0, completed: 0 })),
      },
    };
    assert.deepEqual(checkConsistency(silent, plan), []);
  });

  for (const [rule, what, spoil] of SPOILED) {
    it(`finds ${what} (${rule})`, () => {
      const visit = structuredClone(RIGHT);
      spoil(visit);
      const rules = checkConsistency(visit, PLAN).map((problem) => problem.rule);
      assert.ok(rules.includes(rule), `found ${rules.join(", ") || "nothing"}`);
    });
  }
});
