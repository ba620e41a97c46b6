/** One worker's share of the load: its connections, and the window that it takes readings in. */
import { monotonicMs } from "./clock.ts";
import { Connection, type ConnectionObserver } from "./connection.ts";
import type { Command, WorkerMessage } from "./messages.ts";
import { nonceSource } from "./nonce.ts";
import type { KeptReply } from "./port.ts";
import { type LoadEvent, Tally } from "./tally.ts";

const SWEEP_MS = 250;
const US_PER_MS = 1000;

/** Of each part of the window; the rest leaves the last answer that is kept time to come. */
const KEEP_WITHIN = 0.9;

type BeginCommand = Extract<Command, { kind: "begin" }>;
type RecordCommand = Extract<Command, { kind: "record" }>;

interface CpuReading {
  readonly atMs: number;
  readonly cpuMs: number;
}

interface Recording {
  readonly tally: Tally;
  readonly kept: KeptReply[];
  /** When the next request whose body is kept may begin; the last ones are never due. */
  readonly keepAtMs: readonly number[];
  keepNext: number;
  cpuAtStart: CpuReading;
}

export class Generator implements ConnectionObserver {
  readonly #begin: BeginCommand;
  readonly #report: (message: WorkerMessage) => void;
  readonly #connections: Connection[] = [];
  readonly #nextNonce = nonceSource();
  /** What ended while no window was known. It is sorted when one is: its first instant may already have passed. */
  #unsorted: LoadEvent[] = [];
  #recording: Recording | null = null;
  readonly #answeredSlots = new Set<number>();

  /** Opens the connections at once. @param report sends a message to the driver */
  constructor(begin: BeginCommand, report: (message: WorkerMessage) => void) {
    this.#begin = begin;
    this.#report = report;
    this.add(begin.connections);
    setInterval(() => {
      const nowMs = monotonicMs();
      for (const connection of this.#connections) connection.sweep(nowMs);
    }, SWEEP_MS);
  }

  /** Opens more connections. */
  add(connections: number): void {
    for (let index = 0; index < connections; index += 1) {
      this.#connections.push(
        new Connection({
          slot: this.#connections.length,
          target: { host: this.#begin.host, port: this.#begin.port },
          timeoutMs: this.#begin.timeoutMs,
          nextNonce: this.#nextNonce,
          observer: this,
        }),
      );
    }
  }

  /** Closes all connections but the first ones. */
  drop(): void {
    for (const connection of this.#connections.splice(this.#begin.connections)) connection.destroy();
  }

  /** Takes readings between two instants, and reports them when the second one has passed. */
  record({ startMs, endMs, keepBodies }: RecordCommand): void {
    const stepMs = (endMs - startMs) / Math.max(1, keepBodies);
    const recording: Recording = {
      tally: new Tally(startMs, endMs),
      kept: [],
      // At random within its part of the window: equal steps are a rhythm that a server could keep time with.
      keepAtMs: Array.from({ length: keepBodies }, (_, index) => {
        return startMs + stepMs * (index + KEEP_WITHIN * Math.random());
      }),
      keepNext: 0,
      cpuAtStart: readCpu(),
    };
    for (const event of this.#unsorted) recording.tally.add(event);
    this.#unsorted = [];
    this.#recording = recording;
    atInstant(startMs, () => {
      recording.cpuAtStart = readCpu();
    });
    atInstant(endMs, () => this.#finish(recording));
  }

  keepsBody(startMs: number): boolean {
    const recording = this.#recording;
    if (!recording || startMs < (recording.keepAtMs[recording.keepNext] ?? Number.POSITIVE_INFINITY))
      return false;
    recording.keepNext += 1;
    return true;
  }

  ended(event: LoadEvent, kept: KeptReply | null): void {
    const recording = this.#recording;
    if (recording) recording.tally.add(event);
    else this.#unsorted.push(event);
    if (kept && recording && event.kind === "exchange" && event.endMs < recording.tally.endMs) {
      recording.kept.push(kept);
    }
    if (event.kind === "exchange" && event.outcome.kind !== "error") this.#answered(event.slot, event.endMs);
  }

  #answered(slot: number, atMs: number): void {
    if (this.#answeredSlots.has(slot)) return;
    this.#answeredSlots.add(slot);
    const connections = this.#connections.length;
    if (this.#answeredSlots.size === connections) this.#report({ kind: "answered", connections, atMs });
  }

  #finish(recording: Recording): void {
    const cpu = readCpu();
    for (const { state } of this.#connections) {
      if (state.kind === "in-flight") recording.tally.addOpen(state.sinceMs);
      else recording.tally.add({ kind: "waiting", startMs: state.sinceMs, endMs: cpu.atMs });
    }
    this.#recording = null;
    const connections = this.#connections.length;
    this.#report({
      kind: "readings",
      ...recording.tally.counts(connections),
      connections,
      cpuMs: cpu.cpuMs - recording.cpuAtStart.cpuMs,
      cpuIntervalMs: cpu.atMs - recording.cpuAtStart.atMs,
      kept: recording.kept,
    });
  }
}

function readCpu(): CpuReading {
  const { user, system } = process.cpuUsage();
  return { atMs: monotonicMs(), cpuMs: (user + system) / US_PER_MS };
}

/** Calls once at or after an instant of the monotonic clock. A timer may fire up to a millisecond early. */
function atInstant(instantMs: number, call: () => void): void {
  const leftMs = instantMs - monotonicMs();
  if (leftMs <= 0) call();
  else setTimeout(() => atInstant(instantMs, call), Math.ceil(leftMs));
}
