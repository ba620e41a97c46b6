/** What a run's time goes into beside the windows that it prescribes. */
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { type RunPlan, responseModeSchema } from "../../report/schema.ts";
import { medianFigure, type Target } from "../../report/self/findings.ts";
import { timeSpent } from "../../report/time-spent.ts";
import { makePlan } from "../plan.ts";
import type { Survey } from "./survey.ts";
import { turnPlan } from "./turn.ts";
import { makeVisit, othersShares, visitMs } from "./visits.ts";

const DEFAULT_ROUNDS = 1;
/** Of an official visit: shorter windows would make the rest look longer. */
const LONGEST: Target = { kind: "at-most", limit: 1.2 };
const MODES = responseModeSchema.options;

export function stages(survey: Survey): SelfBenchmark {
  return {
    name: "stages",
    about: "the time of official visits by stage, beside their windows",
    suspects: "a server that takes long to start, to warm up or to be verified; each stage is shown",
    needs: [survey.name],
    expectedMs: (context) => {
      const plan = planOf(context);
      return MODES.length * plan.rounds * visitMs(plan);
    },
    run: (context) => run(context, survey),
  };
}

/** An official run's durations, unless others are asked for. */
function planOf(context: SelfContext): RunPlan {
  const rounds = context.rounds ?? DEFAULT_ROUNDS;
  if (context.seconds !== undefined) return turnPlan(context, { rounds, seconds: context.seconds });
  const official = { runtimeMode: "official", responseMode: "complete", filtered: false, rounds } as const;
  return makePlan(
    official,
    context.built.map(({ manifest }) => manifest.id),
    context.cpus,
    0,
  );
}

async function run(context: SelfContext, survey: Survey): Promise<SelfRun> {
  const built = survey.slowest;
  const plan = planOf(context);
  const visits = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const responseMode of MODES) {
      context.onStep(`${responseMode}, round ${round} of ${plan.rounds}`);
      visits.push(await makeVisit(built, { responseMode, round, telemetry: true }, plan, context));
    }
  }
  const spent = visits.map((visit) => timeSpent(plan, [visit]));
  const stagesSeen = [...new Set(spent.flatMap(({ excessMs }) => [...excessMs.keys()]))];
  return {
    status: "measured",
    findings: {
      subject: `visits of ${built.manifest.id}, the slowest of the survey, in both modes, with windows of ${(spent[0]?.prescribedMs ?? 0) / 1000} s in all (rounds: ${plan.rounds})`,
      figures: [
        medianFigure(
          "time ÷ windows",
          "ratio",
          spent.map(({ spentMs, prescribedMs }) => spentMs / prescribedMs),
          plan.runtimeMode === "official" ? LONGEST : null,
        ),
        ...stagesSeen.map((stage) =>
          medianFigure(
            `${stage}, beyond its windows`,
            "s",
            spent.map(({ excessMs }) => (excessMs.get(stage) ?? 0) / 1000),
          ),
        ),
      ],
      othersShares: othersShares(visits),
    },
  };
}
