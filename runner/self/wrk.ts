/** Our load beside that of `wrk`, in turn at one saturated server. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ExecaError, execa } from "execa";
import { BenchError } from "../../harness/errors.ts";
import type { ServerHandle } from "../../harness/launch.ts";
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { findProgram } from "../../harness/tools.ts";
import { ratioOfPairs } from "../../report/ratio.ts";
import type { RunPlan } from "../../report/schema.ts";
import {
  medianFigure,
  ratioFigure,
  type SelfFigure,
  type Target,
  type Unit,
} from "../../report/self/findings.ts";
import type { TurnFigures } from "../../report/self/turn.ts";
import { alternate } from "./alternate.ts";
import type { Survey } from "./survey.ts";
import { takeTurn, turnMs, turnPlan, withServer } from "./turn.ts";
import { LUA_SCRIPT, parseWrk, type WrkFigures } from "./wrk-output.ts";

const DEFAULTS = { rounds: 5, seconds: 5 };
const ARMS = 2;
const AS_WRK: Target = { kind: "within", centre: 1, tolerance: 0.03, of: "value", belowSteal: null };

export function besideWrk(survey: Survey): SelfBenchmark {
  return {
    name: "wrk",
    about: "rate, P50 and P95 of the load beside those of wrk at a saturated server",
    suspects:
      "a server that isn't saturated, or wrk's window, which begins with its connections' start where ours has a warm-up before it",
    needs: [survey.name],
    expectedMs: (context) => {
      const plan = turnPlan(context, DEFAULTS);
      return ARMS * plan.rounds * turnMs(plan);
    },
    run: (context) => run(context, survey),
  };
}

async function run(context: SelfContext, survey: Survey): Promise<SelfRun> {
  const wrk = findProgram("wrk");
  if (wrk === null) {
    return { status: "skipped", reason: "wrk isn't installed (Debian: apt-get install wrk)" };
  }
  const plan = turnPlan(context, DEFAULTS);
  const { manifest } = survey.fastest;
  const pairs = await withScript((script) =>
    withServer(context, manifest, "complete", (server) =>
      alternate(
        plan.rounds,
        () => takeTurn(server, plan, context),
        () => runWrk({ wrk, script, server, plan, signal: context.signal }),
        (round) => context.onStep(`round ${round} of ${plan.rounds}`),
      ),
    ),
  );
  return {
    status: "measured",
    findings: {
      subject: `in turn at ${manifest.id}, the fastest of the survey, in complete mode: windows of ${plan.windowMs / 1000} s (rounds: ${plan.rounds}), ${plan.connections} connections`,
      figures: figuresOf(pairs),
      othersShares: pairs.map(([own]) => own.othersShare),
    },
  };
}

/** What both loads tell; the tail is shown only, because wrk corrects its own for coordinated omission. */
const COMPARED: readonly {
  readonly name: string;
  readonly unit: Unit;
  readonly target: Target | null;
  readonly own: (turn: TurnFigures) => number;
  readonly wrk: (figures: WrkFigures) => number;
}[] = [
  {
    name: "responses",
    unit: "/s",
    target: AS_WRK,
    own: (turn) => turn.completedRps,
    wrk: (figures) => figures.rps,
  },
  {
    name: "P50",
    unit: "ms",
    target: AS_WRK,
    own: (turn) => turn.latencyMs.p50,
    wrk: (figures) => figures.p50Ms,
  },
  {
    name: "P95",
    unit: "ms",
    target: null,
    own: (turn) => turn.latencyMs.p95,
    wrk: (figures) => figures.p95Ms,
  },
];

function figuresOf(pairs: readonly (readonly [TurnFigures, WrkFigures])[]): SelfFigure[] {
  const compared = COMPARED.flatMap(({ name, unit, target, own, wrk }) => {
    const readings = pairs.map(([ours, theirs]) => [own(ours), wrk(theirs)] as const);
    return [
      ratioFigure(`${name}: ours ÷ wrk's`, ratioOfPairs(readings), target),
      medianFigure(
        `${name}: ours`,
        unit,
        readings.map(([ours]) => ours),
      ),
      medianFigure(
        `${name}: wrk's`,
        unit,
        readings.map(([, theirs]) => theirs),
      ),
    ];
  });
  const idle = pairs.map(([own]) => own.serverIdle);
  return [...compared, medianFigure("server CPU idle under our load", "share", idle)];
}

/** The path of a file with what wrk prints at its end, for as long as `use` runs. */
async function withScript<T>(use: (script: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ssr-todo-bench-wrk-"));
  try {
    const script = path.join(folder, "done.lua");
    await writeFile(script, LUA_SCRIPT);
    return await use(script);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface WrkTurn {
  readonly wrk: string;
  readonly script: string;
  readonly server: ServerHandle;
  readonly plan: RunPlan;
  readonly signal: AbortSignal;
}

/** As many connections and threads as our load has, on the same CPUs. */
async function runWrk({ wrk, script, server, plan, signal }: WrkTurn): Promise<WrkFigures> {
  const args = [
    ...["-c", plan.cpus.others.join(","), wrk],
    ...["--threads", String(plan.workers)],
    ...["--connections", String(plan.connections)],
    // Whole seconds are all that it takes.
    ...["--duration", `${Math.max(1, Math.round(plan.windowMs / 1000))}s`],
    ...["--timeout", `${plan.timeoutMs / 1000}s`],
    ...["--script", script],
    `http://${server.target.host}:${server.target.port}/`,
  ];
  try {
    const { stdout } = await execa("taskset", args, { cancelSignal: signal });
    return parseWrk(stdout);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExecaError)) throw error;
    throw new BenchError({
      stage: "measure",
      code: "load-failed",
      message: `wrk failed: ${error.shortMessage}`,
      hint: "Run the command by hand.",
      cause: error,
    });
  }
}
