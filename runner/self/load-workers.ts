/** What the load workers can take at most from one CPU, what an answer costs them, and how busy an adapter keeps them. */
import type { ServerHandle } from "../../harness/launch.ts";
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { type ResponseMode, type RunPlan, responseModeSchema } from "../../report/schema.ts";
import { medianFigure, type SelfFigure, type Target, type Unit } from "../../report/self/findings.ts";
import type { TurnFigures } from "../../report/self/turn.ts";
import type { Survey } from "./survey.ts";
import { builtTrivialServer } from "./trivial-server.ts";
import { takeTurn, turnMs, turnPlan, withServer } from "./turn.ts";

const DEFAULTS = { rounds: 5, seconds: 3 };
/** Both modes at the trivial server, and the fastest adapter. */
const SERVERS = 3;
/** CPU time of a fully checked response of 60 KB. */
const DEAREST: Target = { kind: "at-most", limit: 100 };
/** At the fastest adapter; above 90 % a row isn't rankable. */
const BUSIEST: Target = { kind: "at-most", limit: 0.7 };

export function loadWorkers(survey: Survey): SelfBenchmark {
  return {
    name: "load-workers",
    about: "responses of 60 KB a second from one CPU at a trivial native server, CPU time for each",
    suspects:
      "the client's parser and checks (CPU time for a response), or an adapter that is faster than any before (busy)",
    needs: [survey.name],
    expectedMs: (context) => {
      const plan = turnPlan(context, DEFAULTS);
      return SERVERS * plan.rounds * turnMs(plan);
    },
    run: (context) => run(context, survey),
  };
}

async function run(context: SelfContext, survey: Survey): Promise<SelfRun> {
  const plan = turnPlan(context, DEFAULTS);
  const trivial = await builtTrivialServer(context.signal);
  const [cpu] = plan.cpus.others as [number, ...number[]];
  const oneCpu = { ...plan, cpus: { ...plan.cpus, others: [cpu] } };
  const atTrivial: { readonly mode: ResponseMode; readonly turns: readonly TurnFigures[] }[] = [];
  for (const mode of responseModeSchema.options) {
    const turns = await withServer(context, trivial, mode, (server) =>
      takeTurns(server, `trivial server, ${mode}`, oneCpu, context),
    );
    atTrivial.push({ mode, turns });
  }
  const { manifest } = survey.fastest;
  const atFastest = await withServer(context, manifest, "complete", (server) =>
    takeTurns(server, manifest.id, plan, context),
  );
  const busy = atFastest.map(({ loadBusy }) => loadBusy);
  return {
    status: "measured",
    findings: {
      subject: `windows of ${plan.windowMs / 1000} s (${plan.rounds} at each server), ${plan.workers} workers; the fastest adapter of the survey, in complete mode, is ${manifest.id}`,
      figures: [
        ...atTrivial.flatMap(({ mode, turns }) => trivialFigures(mode, turns)),
        medianFigure(`${manifest.id}: workers busy`, "share", busy, BUSIEST),
      ],
      othersShares: [...atTrivial.flatMap(({ turns }) => turns), ...atFastest].map(
        ({ othersShare }) => othersShare,
      ),
    },
  };
}

async function takeTurns(
  server: ServerHandle,
  name: string,
  plan: RunPlan,
  context: SelfContext,
): Promise<TurnFigures[]> {
  const turns: TurnFigures[] = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    context.onStep(`${name}: window ${round} of ${plan.rounds}`);
    turns.push(await takeTurn(server, plan, context));
  }
  return turns;
}

function trivialFigures(mode: ResponseMode, turns: readonly TurnFigures[]): SelfFigure[] {
  const shown = (
    name: string,
    unit: Unit,
    read: (turn: TurnFigures) => number,
    target: Target | null = null,
  ) => medianFigure(`${mode}: ${name}`, unit, turns.map(read), target);
  return [
    shown("responses from one CPU", "/s", (turn) => turn.completedRps),
    shown("workers' CPU for a response", "µs", (turn) => turn.workerCpuUs, DEAREST),
    shown("workers busy", "share", (turn) => turn.loadBusy),
    shown("server CPU idle", "share", (turn) => turn.serverIdle),
  ];
}
