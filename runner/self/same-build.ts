/** One adapter's build in two arms: how far apart two rows of the same thing come out. */
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { figuresOf } from "../../report/figures.ts";
import { ratioOfPairs } from "../../report/ratio.ts";
import type { MeasuredVisit, RunPlan } from "../../report/schema.ts";
import { ratioFigure, type SelfFigure, type Target } from "../../report/self/findings.ts";
import { alternate } from "./alternate.ts";
import type { Survey } from "./survey.ts";
import { turnPlan } from "./turn.ts";
import { HARDLY_ANY_PROBES, makeVisit, othersShares, visitMs } from "./visits.ts";

const DEFAULTS = { rounds: 10, seconds: 3 };
const ARMS = 2;
const SAME: Target = { kind: "within", centre: 1, tolerance: 0.03, of: "interval", belowSteal: 0.01 };

/** The row's figures that are compared, by their paths in it. */
const COMPARED = {
  responses: "completedRps",
  P50: "latencyMs.p50",
  P95: "latencyMs.p95",
  "CPU for a response": "cpuUsPerResponse",
  "peak RSS": "peakRssMiB",
} as const;

export function sameBuild(survey: Survey): SelfBenchmark {
  return {
    name: "a-a",
    about: "one adapter's build in two arms: what two equal things differ by",
    suspects: "short windows, or a server whose starts differ (its heap's layout, when its code is compiled)",
    needs: [survey.name],
    expectedMs: (context) => {
      const plan = planOf(context);
      return ARMS * plan.rounds * visitMs(plan);
    },
    run: (context) => run(context, survey),
  };
}

function planOf(context: SelfContext): RunPlan {
  return { ...turnPlan(context, DEFAULTS), ...HARDLY_ANY_PROBES };
}

async function run(context: SelfContext, survey: Survey): Promise<SelfRun> {
  const plan = planOf(context);
  const built = survey.fastest;
  const arm = (round: number) =>
    makeVisit(built, { responseMode: "complete", round, telemetry: true }, plan, context);
  const pairs = await alternate(plan.rounds, arm, arm, (round) =>
    context.onStep(`round ${round} of ${plan.rounds}`),
  );
  return {
    status: "measured",
    findings: {
      subject: `arms in turn, both ${built.manifest.id}, the fastest of the survey, in complete mode: a fresh server and a window of ${plan.windowMs / 1000} s each time (rounds: ${plan.rounds})`,
      figures: Object.entries(COMPARED).map(([name, path]) => ratioOf(name, path, pairs)),
      othersShares: othersShares(pairs.flat()),
    },
  };
}

function ratioOf(
  name: string,
  path: string,
  pairs: readonly (readonly [MeasuredVisit, MeasuredVisit])[],
): SelfFigure {
  const read = (visit: MeasuredVisit): number => {
    const figure = figuresOf(visit).get(path);
    if (typeof figure === "number") return figure;
    throw new RangeError(`${path}: ${figure?.missing ?? "a row has no such figure"}`);
  };
  const readings = pairs.map(([one, two]) => [read(one), read(two)] as const);
  return ratioFigure(`${name}: one arm ÷ the other`, ratioOfPairs(readings), SAME);
}
