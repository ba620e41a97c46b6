/** Which stage of a visit runs, and how long each took. */
import type { BrowserStage, BrowserTiming } from "../report/browser/schema.ts";

export interface Clock {
  now(): { readonly wall: Date; readonly monotonicMs: number };
  onStage(stage: BrowserStage): void;
}

export class StageClock {
  readonly #clock: Clock;
  readonly #startedAt: Date;
  #failedIn: BrowserStage | null = null;
  readonly #begun: { stage: BrowserStage; atMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now().wall;
  }

  /** Where the first failure was, or else what runs now. */
  get stage(): BrowserStage {
    return this.#failedIn ?? this.#begun.at(-1)?.stage ?? "start";
  }

  /** Notes that the stage that runs now has failed; the stages of the clearing up still have their times. */
  fail(): void {
    this.#failedIn ??= this.stage;
  }

  begin(stage: BrowserStage): void {
    this.#begun.push({ stage, atMs: this.#clock.now().monotonicMs });
    this.#clock.onStage(stage);
  }

  /** Begins a stage of work that may go on for a while after it has failed: it begins nothing then. */
  advance(stage: BrowserStage): void {
    if (this.#failedIn === null) this.begin(stage);
  }

  timing(): BrowserTiming {
    const endMs = this.#clock.now().monotonicMs;
    return {
      startedAt: this.#startedAt.toISOString(),
      stages: this.#begun.map(({ stage, atMs }, index) => ({
        stage,
        durationMs: Math.max(0, (this.#begun[index + 1]?.atMs ?? endMs) - atMs),
      })),
    };
  }
}
