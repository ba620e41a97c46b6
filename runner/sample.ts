/**
 * Reads the server's memory and CPU time while the window runs. It lives in the runner's own process, which is
 * pinned away from the server and idle otherwise; what it costs is counted sample by sample.
 */
import { setTimeout as delay } from "node:timers/promises";
import { assertRanOn, readCpuTicks, ticksBetween } from "../harness/cpus.ts";
import { parseKibField, readProc, TICKS_PER_SECOND, treeTicks } from "../harness/proc.ts";
import type { RunPlan, ServerReadings } from "../report/schema.ts";

export interface SampleOptions {
  /** The server's process tree, read afresh at every sample. */
  readonly pids: () => readonly number[];
  /** The window's two instants, ms on the monotonic clock of `process.hrtime`. */
  readonly window: { readonly startMs: number; readonly endMs: number };
  readonly plan: Pick<RunPlan, "cpus" | "rssIntervalMs" | "pssIntervalMs">;
  /** False: only the readings at the window's two edges are made (the arm of the telemetry control). */
  readonly telemetry: boolean;
  readonly signal: AbortSignal;
}

type Series = { atMs: number; bytes: number }[];

/**
 * Samples through one window. Resolves right after its end; rejects with the signal's reason.
 * @throws BenchError `affinity` where the server is seen on another CPU
 */
export async function sampleWindow(options: SampleOptions): Promise<ServerReadings> {
  const { window, plan, signal } = options;
  await until(window.startMs, signal);
  const before = readEdge(options.pids());
  const samples = options.telemetry ? await sampleSeries(options) : null;
  await until(window.endMs, signal);
  const after = readEdge(options.pids());
  return {
    rss: samples?.rss ?? [],
    pss: samples?.pss ?? [],
    pssMissing: samples === null ? "the sampler was off in this arm of the control" : samples.pssMissing,
    vmHwmBytes: largestPeak(options.pids()),
    cpu: {
      userMs: ticksToMs(after.tree.user - before.tree.user),
      systemMs: ticksToMs(after.tree.system - before.tree.system),
      intervalMs: after.atMs - before.atMs,
    },
    samplerCpuMs: samples?.cpuMs ?? null,
    serverCpuTicks: ticksBetween(before.cpus, after.cpus, [plan.cpus.server]),
    loadCpuTicks: ticksBetween(before.cpus, after.cpus, plan.cpus.others),
    ticksPerSecond: TICKS_PER_SECOND,
  };
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

async function until(atMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const leftMs = atMs - monotonicMs();
  if (leftMs <= 0) return;
  await delay(leftMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function ticksToMs(ticks: number): number {
  return (Math.max(0, ticks) * 1000) / TICKS_PER_SECOND;
}

/** The two readings belong to one instant as closely as reading allows; each difference is divided by its own interval. */
function readEdge(pids: readonly number[]) {
  return { atMs: monotonicMs(), tree: treeTicks(pids), cpus: readCpuTicks() };
}

async function sampleSeries({ pids, window, plan, signal }: SampleOptions) {
  const rss: (Series[number] & { processes: number })[] = [];
  const pss: Series = [];
  let pssMissing: string | null = null;
  let cpuUs = 0;
  const everyNth = Math.max(1, Math.round(plan.pssIntervalMs / plan.rssIntervalMs));
  for (let nth = 0; window.startMs + nth * plan.rssIntervalMs < window.endMs; nth += 1) {
    await until(window.startMs + nth * plan.rssIntervalMs, signal);
    const cpuBeforeUs = threadCpuUs();
    const atMs = monotonicMs() - window.startMs;
    // A timer that fired after the window has closed has nothing left to read.
    if (atMs >= window.endMs - window.startMs) break;
    const tree = pids();
    assertRanOn(tree, plan.cpus.server, "measure");
    rss.push({ atMs, bytes: sumOverTree(tree, "status", "VmRSS"), processes: tree.length });
    if (nth % everyNth === 0 && pssMissing === null) {
      const reading = readPss(tree);
      if (reading.status === "missing") pssMissing = reading.reason;
      else pss.push({ atMs, bytes: reading.bytes });
    }
    cpuUs += threadCpuUs() - cpuBeforeUs;
  }
  return { rss, pss, pssMissing, cpuMs: cpuUs / 1000 };
}

/**
 * CPU time of this thread so far. The kernel books it to a thread at timer ticks and switches only, milliseconds apart;
 * asked for the whole process, it first brings the asking thread up to date (thread_group_cputime in
 * kernel/sched/cputime.c).
 */
function threadCpuUs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function sumOverTree(pids: readonly number[], file: string, field: string): number {
  return pids.reduce(
    (sum, pid) => sum + (parseKibField(readProc(`/proc/${pid}/${file}`) ?? "", field) ?? 0),
    0,
  );
}

type Pss =
  | { readonly status: "read"; readonly bytes: number }
  | { readonly status: "missing"; readonly reason: string };

/** Σ PSS over the tree. Reading it takes milliseconds, so it is read less often than RSS. */
function readPss(pids: readonly number[]): Pss {
  try {
    return { status: "read", bytes: sumOverTree(pids, "smaps_rollup", "Pss") };
  } catch (error) {
    return { status: "missing", reason: `smaps_rollup can't be read: ${(error as Error).message}` };
  }
}

/** The high-water mark of the largest process over its whole life; null where none can be read. */
function largestPeak(pids: readonly number[]): number | null {
  const peaks = pids
    .map((pid) => parseKibField(readProc(`/proc/${pid}/status`) ?? "", "VmHWM"))
    .filter((peak) => peak !== null);
  return peaks.length === 0 ? null : Math.max(...peaks);
}
