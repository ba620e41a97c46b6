/**
 * What the kernel says of processes, read from `/proc`. Parsing is apart from reading, so that it is tested on
 * recorded text. A process that ends while it is read is a normal event: it counts as gone, never as an error.
 */
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second of `/proc` (`USER_HZ`), which Linux fixes at 100 for user space on every architecture the suite runs on. */
export const TICKS_PER_SECOND = 100;

/** A process or thread file that is gone because its owner has ended. */
export function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ESRCH";
}

/** The text of a `/proc` file, or null where its process has ended. @throws any other read error */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function listProc(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Fields of `/proc/PID/stat` that the suite uses; times in clock ticks. */
export interface ProcStat {
  readonly state: string;
  readonly parentPid: number;
  readonly userTicks: number;
  readonly systemTicks: number;
  /** Of children that ended and were waited for. */
  readonly reapedUserTicks: number;
  readonly reapedSystemTicks: number;
  /** Since boot: tells a process from a later one with the same id. */
  readonly startTicks: number;
  /** The CPU that its main thread ran on last; of a thread's own file, that thread. */
  readonly processor: number;
}

/** Parses `/proc/PID/stat` after its last `)`: the name before it may hold spaces and brackets (proc_pid_stat(5)). */
export function parseProcStat(text: string): ProcStat {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (index: number): number => Number(fields[index]);
  return {
    state: fields[0] ?? "?",
    parentPid: number(1),
    userTicks: number(11),
    systemTicks: number(12),
    reapedUserTicks: number(13),
    reapedSystemTicks: number(14),
    startTicks: number(19),
    processor: number(36),
  };
}

/** Null where the process has ended. A zombie counts as ended: it runs no more and holds no memory. */
export function readProcStat(pid: number): ProcStat | null {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === null) return null;
  const stat = parseProcStat(text);
  return stat.state === "Z" || stat.state === "X" ? null : stat;
}

/** Ids of a process's threads; empty where it has ended. */
export function threadsOf(pid: number): number[] {
  return listProc(`/proc/${pid}/task`).map(Number);
}

/** A process and all its living descendants, by the `children` files of its threads, the root first. */
export function processTree(rootPid: number): number[] {
  const found: number[] = [];
  const queue = [rootPid];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (readProcStat(pid) === null) continue;
    found.push(pid);
    for (const thread of threadsOf(pid)) {
      const children = readProc(`/proc/${pid}/task/${thread}/children`);
      if (children) queue.push(...children.trim().split(" ").filter(Boolean).map(Number));
    }
  }
  return found;
}

/** CPU time in clock ticks, by where it was spent. */
export interface TreeTicks {
  readonly user: number;
  readonly system: number;
}

/** CPU time of the processes so far, with that of their ended and awaited children. */
export function treeTicks(pids: readonly number[]): TreeTicks {
  let user = 0;
  let system = 0;
  for (const pid of pids) {
    const stat = readProcStat(pid);
    if (stat === null) continue;
    user += stat.userTicks + stat.reapedUserTicks;
    system += stat.systemTicks + stat.reapedSystemTicks;
  }
  return { user, system };
}

/** A field of a `/proc` file made of `Name:   123 kB` lines, in bytes; null where it isn't there. */
export function parseKibField(text: string, name: string): number | null {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text);
  return match?.[1] === undefined ? null : Number(match[1]) * 1024;
}

/** A hard limit of `/proc/PID/limits` by its name there; null where it is unlimited or isn't there. */
export function parseHardLimit(text: string, name: string): number | null {
  const match = new RegExp(`^${name}\\s+\\S+\\s+(\\d+)\\s`, "m").exec(text);
  return match === null ? null : Number(match[1]);
}

/** Ids of all processes that can be seen from here. */
export function listProcesses(): number[] {
  return listProc("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The processes that carry this exact `NAME=value` in their environment at their start, wherever in the tree they are. */
export function processesWithEnv(entry: string): number[] {
  return listProcesses().filter((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry) && readProcStat(pid) !== null
      );
    } catch {
      // Somebody else's process, or one that has just ended: neither is ours.
      return false;
    }
  });
}
