/** What the sampler read of the server and of the CPUs: inside the window, possible, and in agreement. */
import { idleShare, serverCpuShare, tickSum, workersCpuShare } from "../figures.ts";
import type { CpuTicks, MeasuredVisit, Problem } from "../schema.ts";
import { atLeast, atMost, type Check, equal, holds, intervalSlackMs, sameNumbers, within } from "./check.ts";

const MS_PER_S = 1000;
/** `/proc` counts CPU time in clock ticks: both ends of two counters can be one off, and processes can end between. */
const CPU_SLACK_MS = 50;
/** The kernel keeps RSS in per-thread parts, and a high-water mark is taken at another moment. */
const MEMORY_TOLERANCE = 0.1;
const MEMORY_SLACK_BYTES = 4 * 2 ** 20;
/** A virtual CPU's ticks needn't add up to the wall's: its own sum is what shares are of. */
const TICKS_TOLERANCE = 0.1;
const TICKS_SLACK_MS = 500;
/** A busy machine's timers skip readings; with fewer than half of them left a peak says nothing. */
const LEAST_SAMPLES_SHARE = 0.5;
/** CPU time of processes and of CPUs is booked by two clocks in the kernel. */
const SHARE_TOLERANCE = 0.1;

/** Timers are in whole milliseconds of another clock than the one that they are held to. */
const TIMER_SLACK_MS = 2;

type Series = readonly { readonly atMs: number; readonly bytes: number }[];

/** RSS and PSS readings lie inside the window, in order, as many as the interval gives. */
export const checkSampleTimes: Check = ({ load, sampled, telemetry }, plan) => {
  if (!telemetry) {
    const readings = sampled.rss.length + sampled.pss.length;
    return equal("samples", readings, 0, "readings with the sampler off");
  }
  const planned = load.windowMs / plan.rssIntervalMs;
  const everyNth = Math.max(1, Math.round(plan.pssIntervalMs / plan.rssIntervalMs));
  const allPss = Math.ceil(sampled.rss.length / everyNth);
  return [
    ...within("samples", sampled.rss.length, planned * LEAST_SAMPLES_SHARE, planned + 1, "RSS readings"),
    // With every nth RSS reading, until one fails.
    ...within(
      "samples-pss",
      sampled.pss.length,
      sampled.pssMissing === null ? allPss : 0,
      sampled.pssMissing === null ? allPss : allPss - 1,
      "PSS readings",
    ),
    ...onTime("rss", sampled.rss, plan.rssIntervalMs, load.windowMs),
    ...onTime("pss", sampled.pss, everyNth * plan.rssIntervalMs, load.windowMs),
  ];
};

/** Timers fire late, never early; a late one pushes none of the others back, so all begin at their own time or after it. */
function onTime(name: string, series: Series, everyMs: number, windowMs: number): Problem[] {
  return series.flatMap(({ atMs }, nth) => [
    ...within(`${name}-time`, atMs, Math.max(0, nth * everyMs - TIMER_SLACK_MS), windowMs, "ms"),
    ...(nth === 0 ? [] : atLeast(`${name}-order`, atMs, series[nth - 1]?.atMs ?? 0, "ms")),
  ]);
}

/**
 * PSS within RSS, RSS within the high-water marks of the tree's processes. PSS is read with an RSS sample, right
 * after it.
 */
export const checkMemory: Check = ({ sampled, server }) => {
  const rssAt = new Map(sampled.rss.map(({ atMs, bytes }) => [atMs, bytes]));
  const most = (bytes: number) => bytes * (1 + MEMORY_TOLERANCE) + MEMORY_SLACK_BYTES;
  const { vmHwmBytes } = sampled;
  return [
    ...sampled.rss.flatMap(({ bytes, processes }) => [
      ...atLeast("rss", bytes, 1, "bytes"),
      ...within("rss-processes", processes, 1, server.threads, "processes"),
      ...(vmHwmBytes === null ? [] : atMost("rss-high-water", bytes, most(vmHwmBytes * processes), "bytes")),
    ]),
    ...sampled.pss.flatMap(({ atMs, bytes }) => [
      ...atLeast("pss", bytes, 1, "bytes"),
      ...holds("pss-time", rssAt.has(atMs), "the time of an RSS reading", `${atMs} ms`),
      ...atMost("pss-within-rss", bytes, most(rssAt.get(atMs) ?? 0), "bytes"),
    ]),
    ...holds(
      "pss-missing",
      sampled.pss.length > 0 || sampled.pssMissing !== null,
      "readings, or the reason why there are none",
      "neither",
    ),
  ];
};

/** The tree's CPU time is possible on its CPUs, and they were at least that busy. */
export const checkServerCpu: Check = (visit) => {
  const { cpu, serverCpuTicks } = visit.sampled;
  const cpus = visit.server.cpus.length;
  const own = serverCpuShare(visit) / cpus;
  return [
    ...nearWindow("server-cpu-interval", cpu.intervalMs, visit),
    ...atMost(
      "server-cpu",
      cpu.userMs + cpu.systemMs,
      cpu.intervalMs * cpus + CPU_SLACK_MS,
      "ms of CPU time",
    ),
    ...atLeast("server-cpu", cpu.userMs + cpu.systemMs, visit.load.completed > 0 ? 1 : 0, "ms of CPU time"),
    ...atMost("server-cpu-busy", own, 1 - idleShare(serverCpuTicks) + SHARE_TOLERANCE, "of its CPUs"),
  ];
};

/** The load CPUs were at least as busy as the workers on them. */
export const checkLoadCpu: Check = ({ load, sampled }) => {
  const ticks = sampled.loadCpuTicks;
  return [
    ...atMost(
      "load-cpu-busy",
      workersCpuShare(load) / ticks.cpus.length,
      1 - idleShare(ticks) + SHARE_TOLERANCE,
      "of their CPUs",
    ),
    ...holds(
      "sampler-cpu",
      (sampled.samplerCpuMs === null) === (sampled.rss.length === 0),
      "a CPU time exactly where there are readings",
      `${sampled.samplerCpuMs} ms, ${sampled.rss.length} readings`,
    ),
    ...within("sampler-cpu", sampled.samplerCpuMs ?? 0, 0, load.windowMs, "ms of CPU time"),
  ];
};

/** Every CPU's ticks are those of the window. */
export const checkTicks: Check = (visit, plan) => [
  ...sameNumbers("server-cpus", visit.server.cpus, [plan.cpus.server]),
  ...sameNumbers("server-cpu-ticks", visit.sampled.serverCpuTicks.cpus, visit.server.cpus),
  ...sameNumbers("load-cpu-ticks", visit.sampled.loadCpuTicks.cpus, plan.cpus.others),
  ...allTicks("server-cpu-ticks", visit.sampled.serverCpuTicks, visit),
  ...allTicks("load-cpu-ticks", visit.sampled.loadCpuTicks, visit),
  ...atLeast("threads", visit.server.threads, visit.server.processes, "threads"),
];

/** Read with the tree's CPU time at the same two edges, so over the same interval. */
function allTicks(rule: string, ticks: CpuTicks, { sampled }: MeasuredVisit): Problem[] {
  const { intervalMs } = sampled.cpu;
  const perCpuMs = (tickSum(ticks) / ticks.cpus.length / sampled.ticksPerSecond) * MS_PER_S;
  const slackMs = Math.max(TICKS_SLACK_MS, intervalMs * TICKS_TOLERANCE);
  return within(rule, perCpuMs, intervalMs - slackMs, intervalMs + slackMs, "ms");
}

function nearWindow(rule: string, intervalMs: number, { load }: MeasuredVisit): Problem[] {
  const slackMs = intervalSlackMs(load.windowMs);
  return within(rule, intervalMs, load.windowMs - slackMs, load.windowMs + slackMs, "ms");
}
