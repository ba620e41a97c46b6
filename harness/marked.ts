/**
 * How the processes of a run are found again, and ended, wherever they have got to: by an entry of the environment, and
 * by a limit that the kernel hands on from a process to its children.
 *
 * The limit is RLIMIT_RTTIME (getrlimit(2)). It bounds threads under a real-time policy only, so that one of a hundred
 * years changes nothing; but it stays through fork, exec, setsid and a cleaned environment, and can only be lowered.
 */
import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, parseHardLimit, processesWithEnv, readProc, readProcStat } from "./proc.ts";

/** What tells the processes of one run from all others. */
export interface Mark {
  /** `NAME=value`. */
  readonly entry: string;
  /** The first of the limits that are the run's, µs; each server has one of its own. */
  readonly firstLimitUs: number;
}

/** How many limits a run has. */
export const LIMITS_A_RUN = 2 ** 10;

const END_LIMIT_MS = 5_000;
const POLL_MS = 5;
const LIMIT_NAME = "Max realtime timeout";

/** Whether the limit of a process lies in `[firstUs, firstUs + count)`. */
export function carriesLimit(pid: number, firstUs: number, count: number): boolean {
  const limitUs = parseHardLimit(readProc(`/proc/${pid}/limits`) ?? "", LIMIT_NAME);
  return limitUs !== null && limitUs >= firstUs && limitUs < firstUs + count;
}

/** The hard limit that this process has itself, µs; null where it has none. */
export function ownLimitUs(): number | null {
  return parseHardLimit(readProc("/proc/self/limits") ?? "", LIMIT_NAME);
}

/** All processes that carry the mark, but for this one. */
export function markedProcesses({ entry, firstLimitUs }: Mark): number[] {
  const limited = listProcesses().filter((pid) => carriesLimit(pid, firstLimitUs, LIMITS_A_RUN));
  const found = new Set([...processesWithEnv(entry), ...limited.filter((pid) => readProcStat(pid) !== null)]);
  found.delete(process.pid);
  return [...found];
}

/**
 * SIGKILL for every process that is found, until none is. One that the kernel doesn't let die within the limit is left
 * to it.
 * @returns how many there were
 */
export async function endAll(find: () => readonly number[]): Promise<number> {
  const seen = new Set<number>();
  const limitMs = performance.now() + END_LIMIT_MS;
  for (let left = find(); left.length > 0 && performance.now() < limitMs; left = find()) {
    for (const pid of left) {
      seen.add(pid);
      sendSignal(pid, "SIGKILL");
    }
    await delay(POLL_MS);
  }
  return seen.size;
}

/** To a process that may have ended already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
