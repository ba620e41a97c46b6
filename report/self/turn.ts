/** The figures of one turn: one window of load at a server that stays, for the suite's figures about itself. */
import { idleShare, loadBusy, othersShare, ratePerSecond, workersCpuShare } from "../figures.ts";
import { type LatencyFigures, latencyFigures } from "../histogram.ts";
import type { LoadReadings, ServerReadings } from "../schema.ts";

const US_PER_MS = 1000;

/** What was read in one turn. */
export interface Turn {
  readonly load: LoadReadings;
  readonly sampled: ServerReadings;
}

export interface TurnFigures {
  readonly completedRps: number;
  readonly latencyMs: LatencyFigures;
  /** CPU time of the server's tree for one response. */
  readonly serverCpuUs: number;
  /** CPU time of all load workers for one response. */
  readonly workerCpuUs: number;
  /** As in a row: the larger of the busiest worker's own share and all workers' sum ÷ their CPUs. */
  readonly loadBusy: number;
  /** Idle share of the server CPU. */
  readonly serverIdle: number;
  /** The sampler's CPU time ÷ the window; null where it was off. */
  readonly samplerShare: number | null;
  readonly othersShare: number;
}

/** @throws RangeError where nothing completed */
export function turnFigures({ load, sampled }: Turn): TurnFigures {
  const latency = latencyFigures(load.latency);
  if (latency === null) throw new RangeError("a turn in which nothing completed has no figures");
  const { userMs, systemMs, intervalMs } = sampled.cpu;
  const perResponse = (cpuShare: number) => (cpuShare * load.windowMs * US_PER_MS) / load.completed;
  return {
    completedRps: ratePerSecond(load.completed, load.windowMs),
    latencyMs: latency,
    serverCpuUs: perResponse((userMs + systemMs) / intervalMs),
    workerCpuUs: perResponse(workersCpuShare(load)),
    loadBusy: loadBusy(load),
    serverIdle: idleShare(sampled.serverCpuTicks),
    samplerShare: sampled.samplerCpuMs === null ? null : sampled.samplerCpuMs / load.windowMs,
    othersShare: othersShare({ sampled }),
  };
}
