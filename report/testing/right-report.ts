/**
 * Reports that are right, for tests: a seeded simulation of closed-loop connections, from whose events every reading
 * is taken, so that all of them agree. Nothing in them was measured.
 */
import * as hdr from "hdr-histogram-js";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { buildLoadReport } from "../build.ts";
import { orderOf, type PlannedVisit } from "../order.ts";
import type {
  CpuTicks,
  LoadReadings,
  LoadReport,
  MeasuredVisit,
  Probe,
  Provenance,
  RunPlan,
  ServerReadings,
  Timings,
  Visit,
  VisitTiming,
} from "../schema.ts";
import { largest, sum } from "../statistics.ts";
import { makeRunProvenance } from "./right-provenance.ts";

/** A quick plan of one adapter, one mode and one round, but for what is given. */
export function makePlan(overrides: Partial<RunPlan> = {}): RunPlan {
  return {
    runtimeMode: "quick",
    responseModes: ["progressive"],
    adapters: ["alpha"],
    filtered: false,
    rounds: 1,
    seed: 7,
    connections: 64,
    workers: 2,
    unrecordedMs: 500,
    probeMs: 1000,
    warmMs: 1000,
    warmLimitMs: 15_000,
    windowMs: 3000,
    timeoutMs: 10_000,
    rssIntervalMs: 200,
    pssIntervalMs: 1000,
    control: "none",
    cpus: { server: 0, others: [1] },
    ...overrides,
  };
}

/** The plan of an official run. */
export function makeOfficialPlan(overrides: Partial<RunPlan> = {}): RunPlan {
  return makePlan({
    runtimeMode: "official",
    unrecordedMs: 2000,
    probeMs: 4000,
    warmMs: 3000,
    windowMs: 20_000,
    ...overrides,
  });
}

/** What may be spoiled in a visit before its report is built; it is a copy of its own. */
export type Spoil = (visit: MeasuredVisit) => Visit;

/** A whole, right report of a plan; with `spoil`, of readings that were spoiled before the rows were made of them. */
export function makeReport(plan: RunPlan, spoil: Spoil = (visit) => visit): LoadReport {
  let startMs = Date.parse("2026-10-04T08:00:00.000Z");
  const provenance = makeProvenance(plan, startMs);
  const visits = orderOf(plan).map((planned, index) => {
    const visit = spoil(structuredClone(makeVisit(plan, planned, startMs, index)));
    startMs += sum("timing" in visit ? visit.timing.stages.map(({ durationMs }) => durationMs) : []) + 20;
    return visit;
  });
  const ended = { ...provenance, endedAt: new Date(Math.ceil(startMs)).toISOString() };
  return buildLoadReport({ plan, provenance: ended, visits, contractVersion: 1 });
}

type Random = () => number;

/** One right visit. @param startMs since the epoch; @param nth makes its readings differ from those of others */
export function makeVisit(plan: RunPlan, planned: PlannedVisit, startMs: number, nth: number): MeasuredVisit {
  const generator = xoroshiro128plus(plan.seed * 1000 + nth);
  const random = () => uniformFloat64(generator);
  const bodyBytes = planned.responseMode === "progressive" ? 60_212 : 60_148;
  const meanMs = 30 + 10 * plan.adapters.indexOf(planned.adapter) + 2 * random();
  const warm: MeasuredVisit["warm"] = {
    status: "ok",
    durationMs: plan.warmMs + random(),
    allAnsweredMs: plan.warmMs / 2,
    completed: Math.round((plan.connections * plan.warmMs) / meanMs),
    errors: 0,
    timeouts: 0,
    non2xx: 0,
    invalidBodies: 0,
  };
  return {
    status: "measured",
    ...planned,
    timing: makeTiming(plan, startMs, warm.durationMs),
    server: {
      runtime: "node",
      runtimeVersion: "26.10.0",
      frameworkVersion: "1.2.3",
      cpus: [plan.cpus.server],
      processes: 1,
      threads: 11,
      startMs: 180.25 + random(),
    },
    verified: { bodyBytes, chunks: planned.responseMode === "progressive" ? 4 : 0, requests: 17 },
    probes: makeProbes(plan, meanMs, random),
    warm,
    load: makeLoad(plan, meanMs, bodyBytes, random),
    sampled: makeSampled(plan, planned.telemetry, random),
    keptBodies: { checked: 50, wrong: 0, problems: [] },
    deviations: [],
    warnings: [],
  };
}

function makeTiming(plan: RunPlan, startMs: number, warmMs: number): VisitTiming {
  const stages: [VisitTiming["stages"][number]["stage"], number][] = [
    ["start", 210],
    ["verify", 95],
    ["probe", plan.unrecordedMs + 3 * plan.probeMs + 40],
    ["verify", 90],
    ["stop", 12],
    ["restart", 205],
    ["verify", 97],
    ["warm", warmMs + 60],
    ["measure", plan.windowMs + 12],
    ["verify", 93],
    ["stop", 14],
  ];
  return {
    startedAt: new Date(Math.ceil(startMs)).toISOString(),
    stages: stages.map(([stage, durationMs]) => ({ stage, durationMs })),
  };
}

function makeProbes(plan: RunPlan, meanMs: number, random: Random): Probe[] {
  return [1, 2, 1].map((times) => {
    const windowMs = plan.probeMs + random() / 10;
    const completed = Math.round(((plan.connections * windowMs) / meanMs) * (0.99 + random() / 100));
    return {
      connections: plan.connections * times,
      completed,
      windowMs,
      completedRps: completed / (windowMs / 1000),
      errors: 0,
      timeouts: 0,
    };
  });
}

/** One request of the simulation; times in ms from the window's start, durations in whole µs. */
interface Request {
  readonly connection: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly wholeUs: number;
  readonly firstByteUs: number;
}

function makeLoad(plan: RunPlan, meanMs: number, bodyBytes: number, random: Random): LoadReadings {
  const windowMs = plan.windowMs;
  const requests = Array.from({ length: plan.connections }, (_, connection) =>
    simulate(connection, meanMs, windowMs, random),
  ).flat();
  const ended = requests.filter(({ endMs }) => endMs >= 0 && endMs < windowMs);
  const sent = requests.filter(({ startMs }) => startMs >= 0);
  const clippedMs = ({ startMs, endMs }: Request) =>
    Math.max(0, Math.min(endMs, windowMs) - Math.max(startMs, 0));
  const workerOf = ({ connection }: Request) => connection % plan.workers;
  return {
    windowMs,
    connections: plan.connections,
    sent: sent.length,
    completed: ended.length,
    errors: { refused: 0, reset: 0, closedInHead: 0, closedInBody: 0, unparsable: 0, timeout: 0 },
    non2xx: 0,
    invalid: { length: 0, sentinel: 0, nonce: 0, connectionClose: 0, noFraming: 0, interim: 0 },
    unfinished: requests.filter(({ endMs }) => endMs >= windowMs).length,
    inFlightMs: sum(requests.map(clippedMs)),
    waitingMs: 0,
    latency: timings(ended.map(({ wholeUs }) => wholeUs)),
    firstByte: timings(ended.map(({ firstByteUs }) => firstByteUs)),
    bodyBytes: { sum: bodyBytes * ended.length, min: bodyBytes, max: bodyBytes },
    longestGapMs: longestGapMs(ended, windowMs),
    completionsPerSecond: Array.from(
      { length: Math.floor(windowMs / 1000) },
      (_, second) => ended.filter(({ endMs }) => Math.floor(endMs / 1000) === second).length,
    ),
    starvedConnections: 0,
    workers: Array.from({ length: plan.workers }, (_, worker) => ({
      connections: Array.from({ length: plan.connections }, (__, id) => id).filter(
        (id) => id % plan.workers === worker,
      ).length,
      cpus: [plan.cpus.others[worker % plan.cpus.others.length] as number],
      sent: sent.filter((request) => workerOf(request) === worker).length,
      completed: ended.filter((request) => workerOf(request) === worker).length,
      failed: 0,
      cpuMs: windowMs * (0.3 + random() / 50),
      cpuIntervalMs: windowMs + random() * 4,
    })),
  };
}

/** A connection's requests, one after another, from before the window until the first that ends after it. */
function simulate(connection: number, meanMs: number, windowMs: number, random: Random): Request[] {
  const requests: Request[] = [];
  let startMs = -meanMs * random();
  while (startMs < windowMs) {
    const wholeUs = Math.round(meanMs * 1000 * (0.8 + 0.3 * random() + (random() < 0.01 ? 1 : 0)));
    const endMs = startMs + wholeUs / 1000;
    const firstByteUs = Math.round(wholeUs * 0.7);
    requests.push({ connection, startMs, endMs, wholeUs, firstByteUs });
    startMs = endMs;
  }
  return requests;
}

function longestGapMs(ended: readonly Request[], windowMs: number): number {
  const times = [0, ...ended.map(({ endMs }) => endMs).sort((a, b) => a - b), windowMs];
  return largest(times.map((time, index) => time - (times[index - 1] ?? 0)));
}

/** Readings as the load workers keep them. @param readingsUs whole microseconds */
export function timings(readingsUs: readonly number[]): Timings {
  const histogram = hdr.build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: 3,
  });
  for (const reading of readingsUs) histogram.recordValue(reading);
  return {
    histogram: hdr.encodeIntoCompressedBase64(histogram),
    count: readingsUs.length,
    sumUs: sum(readingsUs),
    maxUs: largest([0, ...readingsUs]),
  };
}

const MIB = 2 ** 20;

function makeSampled(plan: RunPlan, telemetry: boolean, random: Random): ServerReadings {
  const times = telemetry
    ? Array.from(
        { length: Math.floor(plan.windowMs / plan.rssIntervalMs) },
        (_, nth) => nth * plan.rssIntervalMs + random(),
      )
    : [];
  const everyNth = plan.pssIntervalMs / plan.rssIntervalMs;
  return {
    rss: times.map((atMs) => ({ atMs, bytes: 90 * MIB + Math.floor(random() * 6 * MIB), processes: 1 })),
    pss: times
      .filter((_, nth) => nth % everyNth === 0)
      .map((atMs) => ({ atMs, bytes: 70 * MIB + Math.floor(random() * 6 * MIB) })),
    pssMissing: telemetry ? null : "the sampler was off in this arm of the control",
    vmHwmBytes: 97 * MIB,
    cpu: {
      userMs: plan.windowMs * 0.84,
      systemMs: plan.windowMs * 0.1,
      intervalMs: plan.windowMs + random() * 3,
    },
    samplerCpuMs: telemetry ? plan.windowMs * 0.005 : null,
    serverCpuTicks: ticks([plan.cpus.server], plan, { user: 0.85, system: 0.1, softirq: 0.04 }),
    loadCpuTicks: ticks(plan.cpus.others, plan, { user: 0.5, system: 0.15, softirq: 0.05 }),
    ticksPerSecond: 100,
  };
}

/** Ticks of a whole window; what the shares leave is idle. */
function ticks(
  cpus: readonly number[],
  plan: RunPlan,
  shares: { readonly user: number; readonly system: number; readonly softirq: number },
): CpuTicks {
  const all = Math.round((plan.windowMs / 10) * cpus.length);
  const user = Math.round(all * shares.user);
  const system = Math.round(all * shares.system);
  const softirq = Math.round(all * shares.softirq);
  const idle = all - user - system - softirq;
  return { cpus: [...cpus], user, nice: 0, system, idle, iowait: 0, irq: 0, softirq, steal: 0 };
}

function makeProvenance(plan: RunPlan, startMs: number): Provenance {
  const command = ["node", "todo/runner/cli.mjs", "--runtime-mode", plan.runtimeMode];
  return { ...makeRunProvenance(command, plan.adapters, startMs), loadGenerator: "autocannon 9.0.0" };
}
