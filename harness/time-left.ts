/** How long a run still takes: what was guessed at first, then what its own visits took. */

/** `1 h 02 min`, `3 min 20 s`, `45 s`. */
export function formatLeft(leftMs: number): string {
  const seconds = Math.round(leftMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export class TimeLeft {
  readonly #now: () => number;
  #visitMs: number;
  #left: number;
  #visited = 0;
  #begunAtMs: number;

  /**
   * @param firstGuessMs what a visit takes, before the first has shown it
   * @param now a monotonic clock, ms
   */
  constructor(firstGuessMs: number, visits: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#visitMs = firstGuessMs;
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
