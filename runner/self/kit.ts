/** What the suite's own part of a server costs: an adapter beside a bare server of the same build. */
import type { BuiltAdapter } from "../../harness/build.ts";
import type { AdapterManifest } from "../../harness/manifest.ts";
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { ratioOfPairs } from "../../report/ratio.ts";
import { type ResponseMode, type RunPlan, responseModeSchema } from "../../report/schema.ts";
import { medianFigure, ratioFigure, type SelfFigure, type Target } from "../../report/self/findings.ts";
import type { TurnFigures } from "../../report/self/turn.ts";
import { alternate } from "./alternate.ts";
import { assertSameBytes } from "./same-bytes.ts";
import type { Survey } from "./survey.ts";
import { takeTurn, turnMs, turnPlan, withServer } from "./turn.ts";

const DEFAULTS = { rounds: 6, seconds: 2 };
const ARMS = 2;
const MODES = responseModeSchema.options;
const NOTHING: Target = { kind: "within", centre: 1, tolerance: 0.05, of: "value", belowSteal: null };

type Pair = readonly [own: TurnFigures, bare: TurnFigures];
type Comparable = AdapterManifest & { readonly bareStart: NonNullable<AdapterManifest["bareStart"]> };

export function kit(survey: Survey): SelfBenchmark {
  return {
    name: "kit",
    about: "CPU time for a response, an adapter's server ÷ a bare one with the same renderer, tree and bytes",
    suspects:
      "what the adapter's server does beside rendering, or too few rounds for a server that is unsteady",
    needs: [survey.name],
    expectedMs: (context) => {
      const plan = turnPlan(context, DEFAULTS);
      const adapters = comparable(context.built, context).length;
      return adapters * MODES.length * ARMS * plan.rounds * turnMs(plan);
    },
    run: (context) => run(context, survey),
  };
}

/**
 * Of those whose manifest names a bare server the first of each runtime, because the suite's part is the same in all of
 * a runtime; where a person chose the adapters, all of them.
 */
function comparable(built: readonly BuiltAdapter[], { filtered }: SelfContext): Comparable[] {
  const able = built.flatMap(({ manifest }) => {
    const { bareStart } = manifest;
    return bareStart === undefined ? [] : [{ ...manifest, bareStart }];
  });
  const isFirst = ({ runtime }: Comparable, index: number) =>
    able.findIndex((other) => other.runtime === runtime) === index;
  return filtered ? able : able.filter(isFirst);
}

async function run(context: SelfContext, survey: Survey): Promise<SelfRun> {
  const plan = turnPlan(context, DEFAULTS);
  // From the fastest: the less a page costs, the more what is beside it weighs.
  const manifests = comparable(survey.byRate, context);
  if (manifests.length === 0) {
    return { status: "skipped", reason: 'none of the adapters chosen has a "bareStart" in its adapter.json' };
  }
  const figures: SelfFigure[] = [];
  const othersShares: number[] = [];
  for (const manifest of manifests) {
    for (const mode of MODES) {
      const pairs = await compare(manifest, mode, plan, context);
      figures.push(...figuresOf(`${manifest.id}/${mode}`, pairs));
      othersShares.push(...pairs.flat().map(({ othersShare }) => othersShare));
    }
  }
  const subject = `${context.filtered ? "" : "the fastest adapter of each runtime; "}in turn, for each cell: windows of ${plan.windowMs / 1000} s (rounds: ${plan.rounds})`;
  return { status: "measured", findings: { subject, figures, othersShares } };
}

async function compare(
  manifest: Comparable,
  mode: ResponseMode,
  plan: RunPlan,
  context: SelfContext,
): Promise<Pair[]> {
  return await withServer(context, manifest, mode, (own) =>
    withServer(context, { ...manifest, start: manifest.bareStart }, mode, async (bare) => {
      await assertSameBytes(own, bare, manifest.id, context.signal);
      return await alternate(
        plan.rounds,
        () => takeTurn(own, plan, context),
        () => takeTurn(bare, plan, context),
        (round) => context.onStep(`${manifest.id} ${mode}: round ${round} of ${plan.rounds}`),
      );
    }),
  );
}

function figuresOf(cell: string, pairs: readonly Pair[]): SelfFigure[] {
  const ratioOf = (figure: (turn: TurnFigures) => number) =>
    ratioOfPairs(pairs.map(([own, bare]) => [figure(own), figure(bare)] as const));
  const cpuUs = (turn: TurnFigures) => turn.serverCpuUs;
  return [
    ratioFigure(`${cell}: CPU for a response ÷ bare`, ratioOf(cpuUs), NOTHING),
    medianFigure(
      `${cell}: CPU for a response`,
      "µs",
      pairs.map(([own]) => cpuUs(own)),
    ),
    ratioFigure(
      `${cell}: responses ÷ bare`,
      ratioOf((turn) => turn.completedRps),
    ),
  ];
}
