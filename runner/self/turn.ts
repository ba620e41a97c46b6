/** One window of load at a server that stays: what the suite's benchmarks of itself take in turn. */
import { BenchError } from "../../harness/errors.ts";
import { launchServer, type ServerHandle } from "../../harness/launch.ts";
import type { AdapterManifest } from "../../harness/manifest.ts";
import { markRun } from "../../harness/mark.ts";
import type { SelfContext } from "../../harness/self-benchmark.ts";
import { failedCount } from "../../report/figures.ts";
import type { ResponseMode, RunPlan, ServerReadings } from "../../report/schema.ts";
import { type TurnFigures, turnFigures } from "../../report/self/turn.ts";
import { loadGenerator } from "../load/drive.ts";
import { makePlan } from "../plan.ts";
import { sampleWindow } from "../sample.ts";

/** What a benchmark does where nothing else is asked for. */
export interface Defaults {
  readonly rounds: number;
  /** Length of a turn's window. */
  readonly seconds: number;
}

/** Starting and stopping what one turn takes beside its windows. */
const TURN_OVERHEAD_MS = 900;

/** The plan of a benchmark's turns: quick, its rounds the turns of each arm. */
export function turnPlan(context: SelfContext, defaults: Defaults): RunPlan {
  return makePlan(
    {
      runtimeMode: "quick",
      filtered: true,
      rounds: context.rounds ?? defaults.rounds,
      seconds: context.seconds ?? defaults.seconds,
    },
    context.built.map(({ manifest }) => manifest.id),
    context.cpus,
    0,
  );
}

/** How long one turn of a plan takes. */
export function turnMs(plan: RunPlan): number {
  return plan.warmMs + plan.windowMs + TURN_OVERHEAD_MS;
}

/** A pinned server for as long as `use` runs; of its own mark, so that its end doesn't end another arm's. */
export async function withServer<T>(
  { cpus, signal }: SelfContext,
  manifest: AdapterManifest,
  mode: ResponseMode,
  use: (server: ServerHandle) => Promise<T>,
): Promise<T> {
  await using mark = markRun();
  const server = await launchServer({ manifest, mode, cpu: cpus.server, mark, signal });
  try {
    return await use(server);
  } catch (error) {
    // What a dying server does to the load is a consequence; that it died is the cause.
    throw server.gone.aborted && !signal.aborted ? server.gone.reason : error;
  } finally {
    await server.stop();
  }
}

/**
 * Warm-up and one window, with the sampler beside it.
 * @throws BenchError `load-failed` where an answer was missing or wrong: such a turn compares with nothing
 */
export async function takeTurn(
  server: ServerHandle,
  plan: RunPlan,
  context: Pick<SelfContext, "signal">,
): Promise<TurnFigures> {
  const signal = AbortSignal.any([context.signal, server.gone]);
  let sampling: Promise<ServerReadings> | null = null;
  const { load } = await loadGenerator.measure({
    target: server.target,
    connections: plan.connections,
    workers: plan.workers,
    cpus: plan.cpus.others,
    timeoutMs: plan.timeoutMs,
    signal,
    warmMs: plan.warmMs,
    warmLimitMs: plan.warmLimitMs,
    windowMs: plan.windowMs,
    keepBodies: 0,
    onWindow: (window) => {
      sampling = sampleWindow({ pids: () => server.pids(), window, plan, telemetry: true, signal });
      // Awaited below; a load that fails first must not leave a rejection behind.
      sampling.catch(() => undefined);
    },
  });
  if (sampling === null) throw new TypeError("a load that was measured has had its window");
  const sampled = await (sampling as Promise<ServerReadings>);
  const failed = failedCount(load);
  if (failed > 0 || load.completed === 0) throw notClean(failed, load.completed);
  return turnFigures({ load, sampled });
}

function notClean(failed: number, completed: number): BenchError {
  return new BenchError({
    stage: "measure",
    code: "load-failed",
    message: `of the answers in a turn's window ${failed} were missing or wrong, and ${completed} right`,
    hint: "Hold the server to the contract: npm run verify; then run the benchmark again.",
  });
}
