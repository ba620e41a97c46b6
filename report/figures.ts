/** The figures of one measured visit, from its raw readings alone. Rows are medians of these over the rounds. */
import { latencyFigures } from "./histogram.ts";
import type { CpuTicks, LoadReadings, MeasuredVisit, Timings } from "./schema.ts";
import { largest, sum } from "./statistics.ts";

const BYTES_PER_MIB = 2 ** 20;
const MS_PER_S = 1000;
const US_PER_MS = 1000;

/** A figure, or why there is none. */
export type Figure = number | { readonly missing: string };

/** A visit's figures by their path in the row, such as `latencyMs.p95`; in the order that a row has them. */
export type Figures = ReadonlyMap<string, Figure>;

/** Requests that got no complete answer in the window; timeouts are among them. */
export function errorCount(load: LoadReadings): number {
  return sum(Object.values(load.errors));
}

/** Complete 2xx answers in the window that were wrong. */
export function invalidCount(load: LoadReadings): number {
  return sum(Object.values(load.invalid));
}

/** Requests that ended in the window without a valid response. */
export function failedCount(load: LoadReadings): number {
  return errorCount(load) + load.non2xx + invalidCount(load);
}

/** All ticks of the CPUs, steal included; guest time is within `user` and `nice` already. */
export function tickSum(ticks: CpuTicks): number {
  const { cpus: _, ...states } = ticks;
  return sum(Object.values(states));
}

/** Idle and iowait ÷ all ticks: 0 to 1, 0 where there are no ticks. */
export function idleShare(ticks: CpuTicks): number {
  return share(ticks.idle + ticks.iowait, tickSum(ticks));
}

/** The server tree's CPU time ÷ the interval that it was read over: 1 is one whole CPU. */
export function serverCpuShare(visit: Pick<MeasuredVisit, "sampled">): number {
  const { userMs, systemMs, intervalMs } = visit.sampled.cpu;
  return (userMs + systemMs) / intervalMs;
}

/** All workers' CPU time, each ÷ its own interval, summed: 1 is one whole CPU. */
export function workersCpuShare(load: LoadReadings): number {
  return sum(load.workers.map((worker) => worker.cpuMs / worker.cpuIntervalMs));
}

/**
 * How busy the load generator was: the larger of the busiest worker's own share (a worker has one thread) and all
 * workers' sum ÷ the CPUs they share.
 */
export function loadBusy(load: LoadReadings): number {
  const busiest = largest(load.workers.map((worker) => worker.cpuMs / worker.cpuIntervalMs));
  return Math.max(busiest, workersCpuShare(load) / loadCpus(load).length);
}

/** The CPUs that the load workers ran on, ascending. */
export function loadCpus(load: LoadReadings): number[] {
  return [...new Set(load.workers.flatMap((worker) => worker.cpus))].sort((a, b) => a - b);
}

/**
 * Share of the server CPU that others took, 0 to 1: its user, nice, system and steal ticks beyond the server tree's
 * own, ÷ that CPU's own tick sum. Softirq and irq are left out: on this CPU they are the loopback's network work, done
 * for the server. The tree's CPU time is scaled from its own interval to the ticks'; the kernel may book part of that
 * network work to the process, so the difference can fall below 0 and is then 0.
 */
export function othersShare(visit: Pick<MeasuredVisit, "sampled">): number {
  const ticks = visit.sampled.serverCpuTicks;
  return Math.max(0, busyShare(ticks) - serverCpuShare(visit) / ticks.cpus.length);
}

/**
 * Share of the load CPUs that others took, 0 to 1, by the same rule: beyond the workers and the runner's own sampler,
 * which lives there, and beyond the server too where it has to share its CPU with the load.
 */
export function loadOthersShare(visit: MeasuredVisit): number {
  const { loadCpuTicks: ticks, samplerCpuMs } = visit.sampled;
  const shared = visit.server.cpus.some((cpu) => ticks.cpus.includes(cpu));
  const own =
    workersCpuShare(visit.load) +
    (samplerCpuMs ?? 0) / visit.load.windowMs +
    (shared ? serverCpuShare(visit) : 0);
  return Math.max(0, busyShare(ticks) - own / ticks.cpus.length);
}

function busyShare(ticks: CpuTicks): number {
  return share(ticks.user + ticks.nice + ticks.system + ticks.steal, tickSum(ticks));
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Completions a second: `completed` ÷ the window's own measured length in ms. */
export function ratePerSecond(completed: number, windowMs: number): number {
  return completed / (windowMs / MS_PER_S);
}

/** The sampler's own CPU time for one RSS sample, in µs; null where it took none. */
export function samplerCpuUsPerSample(visit: MeasuredVisit): number | null {
  const { samplerCpuMs, rss } = visit.sampled;
  return samplerCpuMs === null || rss.length === 0 ? null : (samplerCpuMs * US_PER_MS) / rss.length;
}

/** Every figure of a visit that a row gives the median of. Pure, nothing rounded. */
export function figuresOf(visit: MeasuredVisit): Figures {
  const { load, sampled } = visit;
  const { cpu } = sampled;
  const figures: [string, Figure][] = [
    ["othersShare", othersShare(visit)],
    ...probeFigures(visit),
    ["completedRps", ratePerSecond(load.completed, load.windowMs)],
    ...timingFigures("latencyMs", load.latency),
    ...timingFigures("firstByteMs", load.firstByte),
    ["longestGapMs", load.longestGapMs],
    ["inFlight", (load.inFlightMs + load.waitingMs) / load.windowMs],
    ...bodyFigures(load),
    ["chunksPerResponse", visit.verified.chunks],
    ["peakRssMiB", peakMiB(sampled.rss, load.windowMs, "no RSS sample lies inside the window")],
    [
      "peakPssMiB",
      peakMiB(sampled.pss, load.windowMs, sampled.pssMissing ?? "no PSS sample lies inside the window"),
    ],
    [
      "vmHwmMiB",
      sampled.vmHwmBytes === null
        ? { missing: "VmHWM couldn't be read" }
        : sampled.vmHwmBytes / BYTES_PER_MIB,
    ],
    ["serverBusy.total", serverCpuShare(visit)],
    ["serverBusy.user", cpu.userMs / cpu.intervalMs],
    ["serverBusy.system", cpu.systemMs / cpu.intervalMs],
    ["loadBusy", loadBusy(load)],
    ["cpuUsPerResponse", perCompleted(load, serverCpuShare(visit) * load.windowMs * US_PER_MS)],
    ["startMs", visit.server.startMs],
    ["errors", errorCount(load)],
    ["timeouts", load.errors.timeout],
    ["non2xx", load.non2xx],
    ["invalidBodies", invalidCount(load)],
    ["samples", sampled.rss.length],
  ];
  return new Map(figures);
}

const NOTHING_COMPLETED = "nothing completed in the window";

function perCompleted(load: LoadReadings, amount: number): Figure {
  return load.completed === 0 ? { missing: NOTHING_COMPLETED } : amount / load.completed;
}

function probeFigures(visit: MeasuredVisit): [string, Figure][] {
  return visit.probes.flatMap((probe, index): [string, Figure][] => [
    [`probes.${index}.completedRps`, ratePerSecond(probe.completed, probe.windowMs)],
    [`probes.${index}.errors`, probe.errors],
    [`probes.${index}.timeouts`, probe.timeouts],
  ]);
}

function timingFigures(name: string, timings: Timings): [string, Figure][] {
  const figures = latencyFigures(timings);
  const missing = timings.count === 0 ? NOTHING_COMPLETED : "its histogram can't be read";
  return (["mean", "p50", "p95", "p99", "max"] as const).map((key) => [
    `${name}.${key}`,
    figures === null ? { missing } : figures[key],
  ]);
}

function bodyFigures(load: LoadReadings): [string, Figure][] {
  const { sum: total, min, max } = load.bodyBytes;
  return [
    ["responseBytes.mean", perCompleted(load, total)],
    ["responseBytes.min", min ?? { missing: NOTHING_COMPLETED }],
    ["responseBytes.max", max ?? { missing: NOTHING_COMPLETED }],
  ];
}

function peakMiB(
  samples: readonly { readonly atMs: number; readonly bytes: number }[],
  windowMs: number,
  missing: string,
): Figure {
  const inside = samples.filter((sample) => sample.atMs >= 0 && sample.atMs <= windowMs);
  if (inside.length === 0) return { missing };
  return largest(inside.map((sample) => sample.bytes)) / BYTES_PER_MIB;
}
