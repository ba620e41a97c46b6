/**
 * CPUs: which ones this process may use, which go to the server and which to everybody else, and what each one did
 * in an interval.
 */
import { readdirSync, readFileSync } from "node:fs";
import { execa } from "execa";
import type { CpuTicks } from "../report/schema.ts";
import { BenchError, type Stage } from "./errors.ts";
import { parseProcStat, readProc, threadsOf } from "./proc.ts";

/** `0-2,5` → `[0, 1, 2, 5]`: the kernel's list format (cpuset(7), "Formats"). */
export function parseCpuList(text: string): number[] {
  return text
    .trim()
    .split(",")
    .filter(Boolean)
    .flatMap((part) => {
      const [first, last = first] = part.split("-").map(Number);
      const from = first as number;
      return Array.from({ length: (last as number) - from + 1 }, (_, index) => from + index);
    });
}

/** CPUs that a thread may run on, from the text of its `status` file. */
export function parseAllowedCpus(status: string): number[] {
  return parseCpuList(/^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1] ?? "");
}

/** CPUs that this process may use, ascending. */
export function allowedCpus(): number[] {
  return parseAllowedCpus(readFileSync("/proc/self/status", "utf8"));
}

/** The hardware threads that share a core with `cpu`, itself among them; just itself where the kernel doesn't say. */
export function siblingsOf(cpu: number): number[] {
  const text = readProc(`/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`);
  return text === null ? [cpu] : parseCpuList(text);
}

export interface CpuAssignment {
  readonly server: number;
  /** For the runner, its sampler and the load workers. */
  readonly others: readonly number[];
}

/**
 * The server gets the first CPU that this process may use; the others keep off it, and off its core's sibling threads
 * where that leaves any. With one CPU only, all share it.
 */
export function assignCpus(allowed: readonly number[], siblings: readonly number[]): CpuAssignment {
  const [server, ...rest] = allowed;
  if (server === undefined) {
    throw new BenchError({
      stage: "plan",
      code: "no-cpu",
      message: "the kernel lists no CPU for this process",
      hint: "Look at Cpus_allowed_list in /proc/self/status; the suite needs Linux with a readable /proc.",
    });
  }
  const apart = rest.filter((cpu) => !siblings.includes(cpu));
  if (apart.length > 0) return { server, others: apart };
  return { server, others: rest.length > 0 ? rest : [server] };
}

/**
 * The affinity of every thread of the processes, read back from the kernel.
 * @throws BenchError `affinity` where one of them may run elsewhere than on `cpus`
 */
export function assertPinned(
  pids: readonly number[],
  cpus: readonly number[],
  stage: Stage,
): { threads: number } {
  let threads = 0;
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const status = readProc(`/proc/${pid}/task/${thread}/status`);
      if (status === null) continue;
      threads += 1;
      const seen = parseAllowedCpus(status);
      if (seen.length === cpus.length && seen.every((cpu) => cpus.includes(cpu))) continue;
      throw wrongCpu(
        stage,
        `thread ${thread} of process ${pid} may run on CPU ${seen.join(",")}, not only on ${cpus.join(",")}`,
      );
    }
  }
  return { threads };
}

/**
 * Where every thread of the processes ran last: one that moved away and came back between two readings of its affinity
 * is seen on its way.
 * @throws BenchError `affinity` where one of them ran elsewhere than on `cpu`
 */
export function assertRanOn(pids: readonly number[], cpu: number, stage: Stage): void {
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const text = readProc(`/proc/${pid}/task/${thread}/stat`);
      if (text === null) continue;
      const { processor } = parseProcStat(text);
      if (processor !== cpu)
        throw wrongCpu(stage, `thread ${thread} of process ${pid} ran on CPU ${processor}, not on ${cpu}`);
    }
  }
}

function wrongCpu(stage: Stage, message: string): BenchError {
  return new BenchError({
    stage,
    code: "affinity",
    message,
    hint: "A server must not change its own affinity. Where no process can be pinned, look for a cpuset or a container limit.",
  });
}

/** Pins every thread of this process. Children inherit it. @throws BenchError `affinity` or `missing-tool` */
export async function pinSelf(cpus: readonly number[]): Promise<void> {
  const list = cpus.join(",");
  const result = await execa("taskset", ["-a", "-c", "-p", list, String(process.pid)], { reject: false });
  if (result.code === "ENOENT") throw missingTaskset();
  if (result.exitCode !== 0) {
    throw new BenchError({
      stage: "plan",
      code: "affinity",
      message: `this process can't be pinned to CPU ${list}: ${result.stderr}`,
      hint: "Look for a cpuset or a container limit; `npm run doctor` shows the CPUs that can be used.",
    });
  }
  assertPinned([process.pid], cpus, "plan");
}

export function missingTaskset(): BenchError {
  return new BenchError({
    stage: "start",
    code: "missing-tool",
    message: "taskset isn't installed, so nothing can be pinned to a CPU",
    hint: "Install util-linux (Debian: apt-get install util-linux).",
  });
}

const TICK_FIELDS = ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"] as const;

/** Ticks of each CPU since boot from the text of `/proc/stat`, by CPU number (proc_stat(5)). */
export function parseCpuTicks(text: string): Map<number, readonly number[]> {
  const byCpu = new Map<number, readonly number[]>();
  for (const line of text.split("\n")) {
    const match = /^cpu(\d+) (.+)$/.exec(line);
    if (match)
      byCpu.set(
        Number(match[1]),
        (match[2] as string).trim().split(" ").slice(0, TICK_FIELDS.length).map(Number),
      );
  }
  return byCpu;
}

export function readCpuTicks(): Map<number, readonly number[]> {
  return parseCpuTicks(readFileSync("/proc/stat", "utf8"));
}

/** What the CPUs did between two readings. A counter that the kernel let step back (iowait may) counts as 0. */
export function ticksBetween(
  before: Map<number, readonly number[]>,
  after: Map<number, readonly number[]>,
  cpus: readonly number[],
): CpuTicks {
  const total = (field: number): number =>
    cpus.reduce(
      (sum, cpu) => sum + Math.max(0, (after.get(cpu)?.[field] ?? 0) - (before.get(cpu)?.[field] ?? 0)),
      0,
    );
  const entries = TICK_FIELDS.map((name, field) => [name, total(field)] as const);
  return {
    cpus: [...cpus],
    ...(Object.fromEntries(entries) as Record<(typeof TICK_FIELDS)[number], number>),
  };
}

/** The CPUs' frequency governors, each named once; null where the machine doesn't show one. */
export function readGovernor(): string | null {
  const base = "/sys/devices/system/cpu";
  const governors = readdirSync(base)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => readProc(`${base}/${name}/cpufreq/scaling_governor`)?.trim())
    .filter((governor) => governor !== undefined);
  return governors.length === 0 ? null : [...new Set(governors)].join(", ");
}

/** `on` or `off`; null where the machine doesn't show it. */
export function readBoost(): string | null {
  const boost = readProc("/sys/devices/system/cpu/cpufreq/boost")?.trim();
  if (boost !== undefined) return boost === "1" ? "on" : "off";
  const noTurbo = readProc("/sys/devices/system/cpu/intel_pstate/no_turbo")?.trim();
  if (noTurbo !== undefined) return noTurbo === "0" ? "on" : "off";
  return null;
}
