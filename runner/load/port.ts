/**
 * The port to the load generator: what the runner asks of it and what it gets back. `drive.ts` implements it with
 * worker processes; tests of order and failure use a fake.
 */
import type { LoadReadings, Probe, Warm } from "../../report/schema.ts";

/** Where the load goes. Only loopback is ever a target. */
export interface LoadTarget {
  readonly host: "127.0.0.1";
  readonly port: number;
}

export interface LoadSettings {
  readonly target: LoadTarget;
  readonly connections: number;
  readonly workers: number;
  /** CPUs that the workers are pinned to, one each in turn; read back before the load begins. */
  readonly cpus: readonly number[];
  readonly timeoutMs: number;
  /** Ends the load early (Ctrl-C, a server that exited): the call rejects with the signal's reason, workers gone. */
  readonly signal: AbortSignal;
}

export interface ProbeSettings extends LoadSettings {
  readonly unrecordedMs: number;
  readonly probeMs: number;
}

export interface MeasureSettings extends LoadSettings {
  readonly warmMs: number;
  readonly warmLimitMs: number;
  readonly windowMs: number;
  /** At most this many whole bodies are kept, spread over the window. */
  readonly keepBodies: number;
  /**
   * Called once, as soon as the window's two instants are fixed and before the first has come: in ms on the
   * monotonic clock (`process.hrtime`), the same in all processes. Whoever samples sets its timers by it.
   */
  readonly onWindow: (window: { readonly startMs: number; readonly endMs: number }) => void;
}

/** One response kept whole under load. */
export interface KeptReply {
  readonly nonce: string;
  /** `HTTP/1.1` */
  readonly version: string;
  readonly status: number;
  /** As received, in order, names in their own case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly framing: "length" | "chunked";
  readonly body: Uint8Array;
  /** Wall clock, ms since the epoch: when the request was written, when the response ended. */
  readonly sentAtMs: number;
  readonly endedAtMs: number;
}

export interface Measured {
  readonly warm: Warm;
  readonly load: LoadReadings;
  readonly kept: readonly KeptReply[];
}

export interface LoadPort {
  /** 64, 128 and 64 connections in turn (`connections`, twice that, and `connections` again). */
  probe(settings: ProbeSettings): Promise<readonly Probe[]>;
  /** Warm-up and window on the same connections, without a pause between them. */
  measure(settings: MeasureSettings): Promise<Measured>;
}
