/** What looking costs: the sampler's own CPU time, and the rate with it beside the rate without. */
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { controlOf } from "../../report/control.ts";
import { samplerCpuUsPerSample } from "../../report/figures.ts";
import { orderOf } from "../../report/order.ts";
import type { MeasuredVisit, RunPlan } from "../../report/schema.ts";
import { medianFigure, type SelfFigure, type Target } from "../../report/self/findings.ts";
import type { Survey } from "./survey.ts";
import { turnPlan } from "./turn.ts";
import { HARDLY_ANY_PROBES, makeVisit, othersShares, visitMs } from "./visits.ts";

const DEFAULTS = { rounds: 6, seconds: 3 };
const ARMS = 2;
/** Of one core. */
const DEAREST: Target = { kind: "at-most", limit: 0.005 };

export function sampler(survey: Survey): SelfBenchmark {
  return {
    name: "sampler",
    about: "the sampler's CPU time, and the rate with it beside the rate without (--control telemetry)",
    suspects: "the server's address space: reading PSS walks all of it",
    needs: [survey.name],
    expectedMs: (context) => {
      const plan = planOf(context, []);
      return ARMS * plan.rounds * visitMs(plan);
    },
    run: (context) => run(context, survey),
  };
}

function planOf(context: SelfContext, adapters: readonly string[]): RunPlan {
  return {
    ...turnPlan(context, DEFAULTS),
    ...HARDLY_ANY_PROBES,
    adapters: [...adapters],
    responseModes: ["complete"],
    control: "telemetry",
  };
}

async function run(context: SelfContext, survey: Survey): Promise<SelfRun> {
  const built = survey.dearestToSample;
  const plan = planOf(context, [built.manifest.id]);
  const visits: MeasuredVisit[] = [];
  for (const planned of orderOf(plan)) {
    context.onStep(`round ${planned.round} of ${plan.rounds}${planned.telemetry ? "" : ", without it"}`);
    visits.push(await makeVisit(built, planned, plan, context));
  }
  return {
    status: "measured",
    findings: {
      subject: `with and without in turn, at ${built.manifest.id}, the dearest to sample of the survey, in complete mode: a fresh server and a window of ${plan.windowMs / 1000} s each time (rounds: ${plan.rounds})`,
      figures: figuresOf(plan, visits),
      othersShares: othersShares(visits),
    },
  };
}

function figuresOf(plan: RunPlan, visits: readonly MeasuredVisit[]): SelfFigure[] {
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
  const shares = visits.map(({ sampled, load }) =>
    sampled.samplerCpuMs === null ? null : sampled.samplerCpuMs / load.windowMs,
  );
  const [cell] = controlOf(plan, visits)?.cells ?? [];
  if (cell === undefined) throw new TypeError("a control whose visits were all measured has its cell");
  const { pairs: count, rpsRatio: value, low, high, level } = cell;
  return [
    medianFigure("CPU for a sample", "µs", known(visits.map(samplerCpuUsPerSample))),
    medianFigure("share of a core", "share", known(shares), DEAREST),
    {
      name: "rate with it ÷ without",
      unit: "ratio",
      value,
      spread: { low, high, level, count },
      target: null,
    },
  ];
}
