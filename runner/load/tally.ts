/**
 * Sorts what the connections of one worker did into a window, by the events' own time stamps alone. Pure: it doesn't
 * matter when, or in which order, it is told.
 */
import { assertNever } from "../../report/assert-never.ts";
import type { ErrorCounts, InvalidCounts } from "../../report/schema.ts";
import { Column } from "./column.ts";
import type { Outcome } from "./judge.ts";
import type { WindowCounts } from "./messages.ts";

/** Something that a connection slot did, when it is over. Times in ms on the monotonic clock. */
export type LoadEvent =
  | {
      readonly kind: "exchange";
      readonly slot: number;
      readonly startMs: number;
      /** When the head of the answer was read; null where it never was. */
      readonly firstByteMs: number | null;
      readonly endMs: number;
      readonly outcome: Outcome;
      readonly bodyBytes: number;
    }
  /** A request that could not be sent: no connection was to be had. */
  | { readonly kind: "unsent"; readonly atMs: number; readonly error: keyof ErrorCounts }
  /** The slot had nothing in flight, because it had no connection. */
  | { readonly kind: "waiting"; readonly startMs: number; readonly endMs: number };

type ExchangeEvent = Extract<LoadEvent, { kind: "exchange" }>;

export interface Counts {
  completed: number;
  errors: number;
  timeouts: number;
  non2xx: number;
  invalidBodies: number;
}

const US_PER_MS = 1000;

export class Tally {
  readonly startMs: number;
  readonly endMs: number;
  /** What ended before the window. */
  readonly before: Counts = { completed: 0, errors: 0, timeouts: 0, non2xx: 0, invalidBodies: 0 };
  readonly #errors: ErrorCounts = {
    refused: 0,
    reset: 0,
    closedInHead: 0,
    closedInBody: 0,
    unparsable: 0,
    timeout: 0,
  };
  readonly #invalid: InvalidCounts = {
    length: 0,
    sentinel: 0,
    nonce: 0,
    connectionClose: 0,
    noFraming: 0,
    interim: 0,
  };
  readonly #latencyUs = new Column();
  readonly #firstByteUs = new Column();
  readonly #completedAtMs = new Column();
  readonly #wrongAtMs = new Column();
  readonly #answered = new Set<number>();
  #sent = 0;
  #completed = 0;
  #non2xx = 0;
  #unfinished = 0;
  #inFlightMs = 0;
  #waitingMs = 0;
  #bodyBytes = { sum: 0, min: Number.POSITIVE_INFINITY, max: 0 };

  /** @param startMs the first instant of the window @param endMs the first instant after it */
  constructor(startMs: number, endMs: number) {
    this.startMs = startMs;
    this.endMs = endMs;
  }

  add(event: LoadEvent): void {
    switch (event.kind) {
      case "exchange":
        this.#addExchange(event);
        return;
      case "unsent":
        this.#addUnsent(event.atMs, event.error);
        return;
      case "waiting":
        this.#waitingMs += this.#within(event.startMs, event.endMs);
        return;
      default:
        assertNever(event);
    }
  }

  /** A request that hasn't ended yet, when the window has. */
  addOpen(startMs: number): void {
    if (startMs >= this.endMs) return;
    this.#inFlightMs += this.#within(startMs, this.endMs);
    this.#unfinished += 1;
    if (startMs >= this.startMs) this.#sent += 1;
  }

  /** @param slots how many connection slots there were */
  counts(slots: number): WindowCounts {
    const none = this.#completed === 0;
    return {
      before: { ...this.before },
      sent: this.#sent,
      completed: this.#completed,
      errors: { ...this.#errors },
      non2xx: this.#non2xx,
      invalid: { ...this.#invalid },
      unfinished: this.#unfinished,
      inFlightMs: this.#inFlightMs,
      waitingMs: this.#waitingMs,
      latencyUs: this.#latencyUs.toArray(),
      firstByteUs: this.#firstByteUs.toArray(),
      completedAtMs: this.#completedAtMs.toArray(),
      wrongAtMs: this.#wrongAtMs.toArray(),
      bodyBytes: {
        sum: this.#bodyBytes.sum,
        min: none ? null : this.#bodyBytes.min,
        max: none ? null : this.#bodyBytes.max,
      },
      // Slots that were closed just before the window may have had their last answer in it.
      starvedConnections: slots - [...this.#answered].filter((slot) => slot < slots).length,
    };
  }

  #addExchange(event: ExchangeEvent): void {
    if (event.endMs < this.startMs) countOutcome(this.before, event.outcome);
    else if (event.endMs < this.endMs) this.#addEnded(event);
    else this.addOpen(event.startMs);
  }

  #addEnded(event: ExchangeEvent): void {
    if (event.startMs >= this.startMs) this.#sent += 1;
    this.#inFlightMs += this.#within(event.startMs, event.endMs);
    if (event.outcome.kind !== "error") this.#answered.add(event.slot);
    switch (event.outcome.kind) {
      case "completed":
        this.#addCompleted(event);
        return;
      case "non2xx":
        this.#non2xx += 1;
        this.#wrongAtMs.push(event.endMs);
        return;
      case "invalid":
        this.#invalid[event.outcome.fault] += 1;
        this.#wrongAtMs.push(event.endMs);
        return;
      case "error":
        this.#errors[event.outcome.error] += 1;
        return;
      default:
        assertNever(event.outcome);
    }
  }

  #addCompleted(event: ExchangeEvent): void {
    this.#completed += 1;
    this.#completedAtMs.push(event.endMs);
    this.#latencyUs.push(Math.round((event.endMs - event.startMs) * US_PER_MS));
    this.#firstByteUs.push(Math.round(((event.firstByteMs ?? event.endMs) - event.startMs) * US_PER_MS));
    this.#bodyBytes.sum += event.bodyBytes;
    this.#bodyBytes.min = Math.min(this.#bodyBytes.min, event.bodyBytes);
    this.#bodyBytes.max = Math.max(this.#bodyBytes.max, event.bodyBytes);
  }

  /** Counts as sent too: the request was due, and its failure has to balance. */
  #addUnsent(atMs: number, error: keyof ErrorCounts): void {
    if (atMs < this.startMs) {
      countOutcome(this.before, { kind: "error", error });
    } else if (atMs < this.endMs) {
      this.#sent += 1;
      this.#errors[error] += 1;
    }
  }

  #within(fromMs: number, toMs: number): number {
    return Math.max(0, Math.min(toMs, this.endMs) - Math.max(fromMs, this.startMs));
  }
}

function countOutcome(counts: Counts, outcome: Outcome): void {
  switch (outcome.kind) {
    case "completed":
      counts.completed += 1;
      return;
    case "non2xx":
      counts.non2xx += 1;
      return;
    case "invalid":
      counts.invalidBodies += 1;
      return;
    case "error":
      counts.errors += 1;
      if (outcome.error === "timeout") counts.timeouts += 1;
      return;
    default:
      assertNever(outcome);
  }
}
