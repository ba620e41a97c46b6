/**
 * Two servers measured in turn within one run, for the suite's figures about itself. Both are pinned to the server CPU;
 * the one whose turn it isn't is idle.
 */
import type { ServerHandle } from "../../harness/launch.ts";
import { tickSum } from "../../report/figures.ts";
import type { LoadReadings, RunPlan, ServerReadings } from "../../report/schema.ts";
import type { LoadPort } from "../load/port.ts";
import { sampleWindow } from "../sample.ts";

/** One turn of one arm. */
export interface Turn {
  readonly cpuUsPerResponse: number;
  readonly completedRps: number;
  readonly meanBodyBytes: number;
  /** Share of the server CPU's ticks that the hypervisor gave to others: 0 to 1. */
  readonly stealShare: number;
}

/** Where the load goes, and who ends it. */
export interface ArmsOptions {
  /** Its `rounds` are the turns of each arm. */
  readonly plan: RunPlan;
  readonly load: LoadPort;
  readonly signal: AbortSignal;
  /** Told before each round, from 1. */
  readonly onRound: (round: number) => void;
}

/**
 * Measures both arms in turn, `plan.rounds` times each; which one comes first alternates too, so that a drift of the
 * machine favours neither.
 */
export async function alternate(
  first: ServerHandle,
  second: ServerHandle,
  options: ArmsOptions,
): Promise<(readonly [Turn, Turn])[]> {
  const pairs: (readonly [Turn, Turn])[] = [];
  for (let round = 1; round <= options.plan.rounds; round += 1) {
    options.onRound(round);
    if (round % 2 === 1) {
      const one = await turn(first, options);
      pairs.push([one, await turn(second, options)]);
    } else {
      const two = await turn(second, options);
      pairs.push([await turn(first, options), two]);
    }
  }
  return pairs;
}

async function turn(server: ServerHandle, { plan, load, signal }: ArmsOptions): Promise<Turn> {
  const gone = AbortSignal.any([signal, server.gone]);
  let sampling: Promise<ServerReadings> | null = null;
  const measured = await load.measure({
    target: server.target,
    connections: plan.connections,
    workers: plan.workers,
    cpus: plan.cpus.others,
    timeoutMs: plan.timeoutMs,
    signal: gone,
    warmMs: plan.warmMs,
    warmLimitMs: plan.warmLimitMs,
    windowMs: plan.windowMs,
    keepBodies: 0,
    onWindow: (window) => {
      sampling = sampleWindow({ pids: () => server.pids(), window, plan, telemetry: false, signal: gone });
      // Awaited below; a load that fails first must not leave a rejection behind.
      sampling.catch(() => undefined);
    },
  });
  if (sampling === null) throw new TypeError("a load that was measured has had its window");
  return turnOf(measured.load, await (sampling as Promise<ServerReadings>));
}

function turnOf(load: LoadReadings, { cpu, serverCpuTicks }: ServerReadings): Turn {
  const scale = load.windowMs / cpu.intervalMs;
  return {
    cpuUsPerResponse: (1000 * scale * (cpu.userMs + cpu.systemMs)) / load.completed,
    completedRps: (1000 * load.completed) / load.windowMs,
    meanBodyBytes: load.bodyBytes.sum / load.completed,
    stealShare: serverCpuTicks.steal / Math.max(1, tickSum(serverCpuTicks)),
  };
}
