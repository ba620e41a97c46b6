/** What all workers saw, made one: readings are pooled, never averaged. Pure. */
import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import type { ErrorCounts, InvalidCounts, LoadReadings, Probe, Timings, Warm } from "../../report/schema.ts";
import type { WorkerWindow } from "./messages.ts";

const MS_PER_S = 1000;
const ROUNDING_MS = 1e-3;

/** One worker's readings of a window, and the CPUs it was held to. */
export interface PinnedWindow {
  readonly window: WorkerWindow;
  readonly cpus: readonly number[];
}

export interface WindowEdges {
  readonly startMs: number;
  readonly endMs: number;
}

/** The workers' readings of one window as the report has them. */
export function poolReadings(workers: readonly PinnedWindow[], edges: WindowEdges): LoadReadings {
  const windows = workers.map(({ window }) => window);
  const total = (value: (window: WorkerWindow) => number): number => sum(windows.map(value));
  const completedAtMs = concat(windows.map((window) => window.completedAtMs));
  const answeredAtMs = concat([completedAtMs, ...windows.map((window) => window.wrongAtMs)]);
  return {
    windowMs: edges.endMs - edges.startMs,
    connections: total((window) => window.connections),
    sent: total((window) => window.sent),
    completed: total((window) => window.completed),
    errors: poolErrors(windows.map((window) => window.errors)),
    non2xx: total((window) => window.non2xx),
    invalid: poolInvalid(windows.map((window) => window.invalid)),
    unfinished: total((window) => window.unfinished),
    inFlightMs: total((window) => window.inFlightMs),
    waitingMs: total((window) => window.waitingMs),
    latency: poolTimings(windows.map((window) => window.latencyUs)),
    firstByte: poolTimings(windows.map((window) => window.firstByteUs)),
    bodyBytes: {
      sum: total((window) => window.bodyBytes.sum),
      min: extreme(
        windows.map((window) => window.bodyBytes.min),
        Math.min,
      ),
      max: extreme(
        windows.map((window) => window.bodyBytes.max),
        Math.max,
      ),
    },
    longestGapMs: longestGapMs(answeredAtMs, edges),
    completionsPerSecond: perSecond(completedAtMs, edges),
    starvedConnections: total((window) => window.starvedConnections),
    workers: workers.map(({ window, cpus }) => ({
      connections: window.connections,
      cpus: [...cpus],
      sent: window.sent,
      completed: window.completed,
      failed: failedCount(window),
      cpuMs: window.cpuMs,
      cpuIntervalMs: window.cpuIntervalMs,
    })),
  };
}

/** The same of a probe, which needs only its rate; whatever wasn't a right answer is one of its errors. */
export function poolProbe(windows: readonly WorkerWindow[], edges: WindowEdges): Probe {
  const total = (value: (window: WorkerWindow) => number): number => sum(windows.map(value));
  const windowMs = edges.endMs - edges.startMs;
  const completed = total((window) => window.completed);
  return {
    connections: total((window) => window.connections),
    completed,
    windowMs,
    completedRps: (completed / windowMs) * MS_PER_S,
    errors: total(failedCount),
    timeouts: total((window) => window.errors.timeout),
  };
}

/** What the workers counted between the start of the load and the window. */
export function poolWarm(
  windows: readonly WorkerWindow[],
  warm: Pick<Warm, "status" | "durationMs" | "allAnsweredMs">,
): Warm {
  const total = (value: (window: WorkerWindow) => number): number => sum(windows.map(value));
  return {
    ...warm,
    completed: total(({ before }) => before.completed),
    errors: total(({ before }) => before.errors),
    timeouts: total(({ before }) => before.timeouts),
    non2xx: total(({ before }) => before.non2xx),
    invalidBodies: total(({ before }) => before.invalidBodies),
  };
}

/** The longest time between two neighbouring instants, the edges included: all of the window where there is none. */
export function longestGapMs(instantsMs: Float64Array, edges: WindowEdges): number {
  let longest = 0;
  let previous = edges.startMs;
  for (const instant of instantsMs.toSorted()) {
    longest = Math.max(longest, instant - previous);
    previous = instant;
  }
  return Math.max(longest, edges.endMs - previous);
}

/** How many instants fall into each whole second of the window; a last, shorter part is left out. */
export function perSecond(instantsMs: Float64Array, edges: WindowEdges): number[] {
  // Both instants carry a rounding error of some nanoseconds, which must not cost a whole second.
  const seconds = Math.floor((edges.endMs - edges.startMs + ROUNDING_MS) / MS_PER_S);
  const counts = new Array<number>(seconds).fill(0);
  for (const instant of instantsMs) {
    const second = Math.floor((instant - edges.startMs) / MS_PER_S);
    if (second < counts.length) counts[second] = (counts[second] as number) + 1;
  }
  return counts;
}

/** Whole microseconds as a compressed histogram, and what it can't hold exactly. It grows with its largest value. */
export function poolTimings(readingsUs: readonly Float64Array[]): Timings {
  const histogram = build({ lowestDiscernibleValue: 1, numberOfSignificantValueDigits: 3, autoResize: true });
  let count = 0;
  let sumUs = 0;
  let maxUs = 0;
  for (const readings of readingsUs) {
    count += readings.length;
    for (const us of readings) {
      histogram.recordValue(us);
      sumUs += us;
      maxUs = Math.max(maxUs, us);
    }
  }
  return { histogram: encodeIntoCompressedBase64(histogram), count, sumUs, maxUs };
}

function failedCount(window: WorkerWindow): number {
  return sum(Object.values(window.errors)) + window.non2xx + sum(Object.values(window.invalid));
}

function poolErrors(all: readonly ErrorCounts[]): ErrorCounts {
  const total = (key: keyof ErrorCounts): number => sum(all.map((errors) => errors[key]));
  return {
    refused: total("refused"),
    reset: total("reset"),
    closedInHead: total("closedInHead"),
    closedInBody: total("closedInBody"),
    unparsable: total("unparsable"),
    timeout: total("timeout"),
  };
}

function poolInvalid(all: readonly InvalidCounts[]): InvalidCounts {
  const total = (key: keyof InvalidCounts): number => sum(all.map((invalid) => invalid[key]));
  return {
    length: total("length"),
    sentinel: total("sentinel"),
    nonce: total("nonce"),
    connectionClose: total("connectionClose"),
    noFraming: total("noFraming"),
    interim: total("interim"),
  };
}

function extreme(values: readonly (number | null)[], pick: (...values: number[]) => number): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : pick(...known);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function concat(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(sum(columns.map((column) => column.length)));
  let offset = 0;
  for (const column of columns) {
    all.set(column, offset);
    offset += column.length;
  }
  return all;
}
