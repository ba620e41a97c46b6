/** How long a run still takes: the prescribed windows at first, then what its own visits took. */
import type { RunPlan } from "../report/schema.ts";

/** Starting, verifying and stopping two servers, before the first visit has shown what they take. */
const FIRST_GUESS_MS = 4000;

export class TimeLeft {
  readonly #now: () => number;
  #visitMs: number;
  #left: number;
  #visited = 0;
  #begunAtMs: number;

  /** @param now a monotonic clock, ms */
  constructor(plan: RunPlan, visits: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#visitMs = plan.unrecordedMs + 3 * plan.probeMs + plan.warmMs + plan.windowMs + FIRST_GUESS_MS;
    this.#left = visits;
    this.#begunAtMs = now();
  }

  /** Tells that a visit has ended and the next begins. */
  visited(): void {
    const tookMs = this.#now() - this.#begunAtMs;
    this.#visited += 1;
    this.#left -= 1;
    // The mean of the visits so far.
    this.#visitMs = this.#visited === 1 ? tookMs : this.#visitMs + (tookMs - this.#visitMs) / this.#visited;
    this.#begunAtMs = this.#now();
  }

  /** The estimate at this moment, ms. */
  leftMs(): number {
    const elapsedMs = Math.min(this.#visitMs, this.#now() - this.#begunAtMs);
    return Math.max(0, this.#left * this.#visitMs - elapsedMs);
  }
}
