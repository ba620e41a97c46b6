/** The processes of one server, also those that have left its tree. */
import { carriesLimit } from "./marked.ts";
import { listProcesses, processTree, readProcStat } from "./proc.ts";

/**
 * A process belongs to the family where it is in the tree of the first one, where it has the family's limit, or where
 * it was seen to belong once: another parent, a session of its own or a clean environment change nothing about that.
 */
export class Family {
  readonly #rootPid: number;
  readonly #limitUs: number;
  /** By id, with when each began, because an id is used again. */
  readonly #members = new Map<number, number>();
  /** Looked at and found without the limit, which is had from the beginning or never. */
  readonly #strangers = new Set<number>();

  constructor(rootPid: number, limitUs: number) {
    this.#rootPid = rootPid;
    this.#limitUs = limitUs;
  }

  /** All that are there, read afresh, the first one first. Cheap enough to be asked in the window. */
  pids(): number[] {
    for (const pid of processTree(this.#rootPid)) this.#admit(pid);
    const present = new Set(listProcesses());
    for (const pid of this.#strangers) if (!present.has(pid)) this.#strangers.delete(pid);
    for (const pid of present) {
      if (this.#members.has(pid) || this.#strangers.has(pid)) continue;
      if (carriesLimit(pid, this.#limitUs, 1)) this.#admit(pid);
      else this.#strangers.add(pid);
    }
    for (const [pid, startTicks] of this.#members) {
      if (readProcStat(pid)?.startTicks !== startTicks) this.#members.delete(pid);
    }
    return [...this.#members.keys()];
  }

  #admit(pid: number): void {
    const stat = readProcStat(pid);
    if (stat !== null) this.#members.set(pid, stat.startTicks);
  }
}
