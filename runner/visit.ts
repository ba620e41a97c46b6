/**
 * One visit: one fresh server, measured for one cell. The stages in their order, what surrounds them, and the one
 * place where an error becomes a failed visit.
 */
import type { BuiltAdapter } from "../harness/build.ts";
import { BenchError, type Stage } from "../harness/errors.ts";
import type { ServerHandle, StopOutcome } from "../harness/launch.ts";
import { cellName, type PlannedVisit } from "../report/order.ts";
import type {
  Failure,
  KeptBodies,
  MeasuredVisit,
  Probe,
  RunPlan,
  ServerIdentity,
  ServerReadings,
  StageName,
  Verified,
  Visit,
  Warning,
} from "../report/schema.ts";
import type { KeptReply, LoadPort, LoadSettings, Measured } from "./load/port.ts";
import type { SampleOptions } from "./sample.ts";

/** Whole bodies that are kept under load and put through the DOM contract afterwards. */
const KEEP_BODIES = 50;

/** A clock that is kept right by being slowed or hurried stays within it. */
const CLOCK_STEP_MS = 250;

/** What is visited: a built adapter, in one mode, in one round. */
export interface Cell extends PlannedVisit {
  readonly built: BuiltAdapter;
}

/** What the verifier saw of a server that keeps the contract. */
export interface ContractKept {
  readonly verified: Verified;
  /** As the server reports it. */
  readonly runtimeVersion: string;
}

/** The world, as narrow as a visit needs it; fakes of these test the order of the stages without a process. */
export interface Ports {
  start(cell: Cell, signal: AbortSignal): Promise<ServerHandle>;
  /** @throws BenchError `contract`, listing every breach */
  verify(server: ServerHandle, cell: Cell, signal: AbortSignal): Promise<ContractKept>;
  /** Affinity of every thread of the server, read back. @throws BenchError `affinity` */
  assertPinned(server: ServerHandle, stage: Stage): { readonly threads: number };
  readonly load: LoadPort;
  sample(options: SampleOptions): Promise<ServerReadings>;
  checkBodies(kept: readonly KeptReply[], cell: Cell): KeptBodies;
  now(): { readonly wall: Date; readonly monotonicMs: number };
  /** Told when a stage begins. */
  onStage(stage: StageName): void;
}

/** Visits a cell. Never throws but for an interruption, whose reason it passes on: a visit cut short is no failure. */
export async function visit(cell: Cell, plan: RunPlan, ports: Ports, signal: AbortSignal): Promise<Visit> {
  const clock = new StageClock(ports);
  const { built: _, ...fields } = cell;
  try {
    const measurement = await measureCell({ cell, plan, ports, clock, signal, warnings: [] });
    const wasSet = clock.wasSet();
    if (wasSet !== null) throw wasSet;
    return { status: "measured", ...fields, timing: clock.timing(), ...measurement };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // What a clock that was set does to the timestamps is a consequence.
    const cause = clock.wasSet() ?? error;
    return { status: "failed", ...fields, timing: clock.timing(), failure: toFailure(cause, clock.stage) };
  }
}

/** What all stages of one visit share. */
interface Context {
  readonly cell: Cell;
  readonly plan: RunPlan;
  readonly ports: Ports;
  readonly clock: StageClock;
  readonly signal: AbortSignal;
  readonly warnings: Warning[];
}

/** A server that has just been verified; `gone` aborts with the run's interruption or with the server's own end. */
interface Started {
  readonly server: ServerHandle;
  readonly kept: ContractKept;
  readonly gone: AbortSignal;
}

type Measurement = Omit<
  MeasuredVisit,
  "status" | "adapter" | "responseMode" | "round" | "telemetry" | "timing"
>;

async function measureCell(context: Context): Promise<Measurement> {
  const probes = await withServer("start", context, (started) => probeServer(started, context));
  const measurement = await withServer("restart", context, (started) => measureServer(started, context));
  const { deviations } = context.cell.built.manifest;
  return { ...measurement, probes: [...probes], deviations: [...deviations], warnings: context.warnings };
}

/** A verified server for as long as `use` runs: right before the load, still right after it, gone in the end. */
async function withServer<T>(
  stage: "start" | "restart",
  { cell, ports, clock, signal, warnings }: Context,
  use: (started: Started) => Promise<T>,
): Promise<T> {
  clock.begin(stage);
  const server = await ports.start(cell, signal);
  const gone = AbortSignal.any([signal, server.gone]);
  try {
    clock.begin("verify");
    const kept = await ports.verify(server, cell, gone);
    const result = await use({ server, kept, gone });
    clock.begin("verify");
    await ports.verify(server, cell, gone);
    server.gone.throwIfAborted();
    clock.begin("stop");
    warnings.push(...stopWarnings(cell, await server.stop()));
    return result;
  } catch (error) {
    // What a dying server does to the load or the verifier is a consequence; that it died is the cause.
    throw server.gone.aborted && !signal.aborted ? server.gone.reason : error;
  } finally {
    await server.stop();
  }
}

async function probeServer(
  { server, gone }: Started,
  { plan, ports, clock }: Context,
): Promise<readonly Probe[]> {
  clock.begin("probe");
  const { unrecordedMs, probeMs } = plan;
  return await ports.load.probe({ ...loadSettings(server, plan, gone), unrecordedMs, probeMs });
}

async function measureServer(started: Started, context: Context) {
  const { server, kept } = started;
  const { measured, sampled } = await loadAndSample(started, context);
  const { threads } = context.ports.assertPinned(server, "measure");
  return {
    warm: measured.warm,
    load: measured.load,
    sampled,
    keptBodies: context.ports.checkBodies(measured.kept, context.cell),
    verified: kept.verified,
    server: {
      runtime: context.cell.built.manifest.runtime,
      runtimeVersion: kept.runtimeVersion,
      frameworkVersion: context.cell.built.frameworkVersion,
      cpus: [context.plan.cpus.server],
      processes: server.pids().length,
      threads,
      startMs: server.startMs,
    } satisfies ServerIdentity,
  };
}

/** Warm-up and window, with the sampler beside them; whichever of the two fails first ends the other. */
async function loadAndSample(
  { server, gone }: Started,
  { cell, plan, ports, clock }: Context,
): Promise<{ measured: Measured; sampled: ServerReadings }> {
  clock.begin("warm");
  const failed = new AbortController();
  const signal = AbortSignal.any([gone, failed.signal]);
  const sampling = Promise.withResolvers<ServerReadings>();
  const loading = ports.load.measure({
    ...loadSettings(server, plan, signal),
    warmMs: plan.warmMs,
    warmLimitMs: plan.warmLimitMs,
    windowMs: plan.windowMs,
    keepBodies: KEEP_BODIES,
    onWindow: (window) => {
      clock.beginAt("measure", window.startMs);
      const options = { pids: () => server.pids(), window, plan, telemetry: cell.telemetry, signal };
      ports.sample(options).then(sampling.resolve, sampling.reject);
    },
  });
  // Where the load fails before its window, the sampler was never started.
  loading.catch(sampling.reject);
  try {
    const [measured, sampled] = await Promise.all([loading, sampling.promise]);
    return { measured, sampled };
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled([loading, sampling.promise]);
    throw error;
  }
}

function loadSettings(server: ServerHandle, plan: RunPlan, signal: AbortSignal): LoadSettings {
  return {
    target: server.target,
    connections: plan.connections,
    workers: plan.workers,
    cpus: plan.cpus.others,
    timeoutMs: plan.timeoutMs,
    signal,
  };
}

function stopWarnings(cell: Cell, outcome: StopOutcome): Warning[] {
  const warn = (message: string): Warning => ({ code: "killed", cell: cellName(cell), message });
  if (outcome.killed)
    return [warn(`round ${cell.round}: the server didn't end within 5 s of SIGTERM and was killed`)];
  if (outcome.leftBehind === 0) return [];
  return [
    warn(`round ${cell.round}: the server left ${outcome.leftBehind} processes behind, which were killed`),
  ];
}

/** @param stage where it happened, for an error that doesn't know */
function toFailure(error: unknown, stage: Stage): Failure {
  if (error instanceof BenchError) {
    // An error raised by a part that several stages use knows its kind better than its stage.
    return { stage, code: error.code, message: error.message, hint: error.hint };
  }
  return {
    stage,
    code: "internal",
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    hint: "This is a fault of the suite; please report it with the command line.",
  };
}

/** Which stage runs, and how long each took. */
class StageClock {
  readonly #ports: Pick<Ports, "now" | "onStage">;
  readonly #started: ReturnType<Ports["now"]>;
  readonly #begun: { stage: StageName; atMs: number }[] = [];

  constructor(ports: Pick<Ports, "now" | "onStage">) {
    this.#ports = ports;
    this.#started = ports.now();
  }

  get stage(): StageName {
    return this.#begun.at(-1)?.stage ?? "start";
  }

  /**
   * A BenchError `clock-set` where the wall clock was set since the visit began, or the machine slept; else null. No
   * duration rests on it, but every timestamp of a page does.
   */
  wasSet(): BenchError | null {
    const { wall, monotonicMs } = this.#ports.now();
    const stepMs = wall.getTime() - this.#started.wall.getTime() - (monotonicMs - this.#started.monotonicMs);
    if (Math.abs(stepMs) < CLOCK_STEP_MS) return null;
    return new BenchError({
      stage: this.stage,
      code: "clock-set",
      message: `the machine's clock was set by ${Math.round(stepMs)} ms during the visit, so no page's timestamp can be judged`,
      hint: "Keep the clock from being set, and the machine from sleeping, while it measures; then run it again.",
    });
  }

  begin(stage: StageName): void {
    this.beginAt(stage, this.#ports.now().monotonicMs);
  }

  /** @param atMs when it begins, on the monotonic clock; may lie a moment ahead */
  beginAt(stage: StageName, atMs: number): void {
    this.#begun.push({ stage, atMs });
    this.#ports.onStage(stage);
  }

  timing() {
    const endMs = this.#ports.now().monotonicMs;
    return {
      startedAt: this.#started.wall.toISOString(),
      stages: this.#begun.map(({ stage, atMs }, index) => ({
        stage,
        durationMs: Math.max(0, (this.#begun[index + 1]?.atMs ?? endMs) - atMs),
      })),
    };
  }
}
