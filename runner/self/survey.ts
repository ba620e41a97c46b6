/** Which adapter is fastest, slowest, dearest to sample: other benchmarks choose by it what they measure. */
import type { BuiltAdapter } from "../../harness/build.ts";
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { medianFigure } from "../../report/self/findings.ts";
import type { TurnFigures } from "../../report/self/turn.ts";
import { takeTurn, turnMs, turnPlan, withServer } from "./turn.ts";

const DEFAULTS = { rounds: 1, seconds: 2 };
/** Starting and stopping a server. */
const SERVER_MS = 700;

interface Surveyed {
  readonly built: BuiltAdapter;
  readonly figures: TurnFigures;
}

export class Survey implements SelfBenchmark {
  readonly name = "survey";
  readonly about =
    "every adapter's rate, how busy it keeps the load workers, and the sampler's share of a core";
  readonly suspects = "one window each, only to choose by";
  readonly needs = [];
  #surveyed: readonly Surveyed[] = [];

  expectedMs(context: SelfContext): number {
    return context.built.length * (SERVER_MS + turnMs(turnPlan(context, DEFAULTS)));
  }

  async run(context: SelfContext): Promise<SelfRun> {
    const plan = turnPlan(context, DEFAULTS);
    const surveyed: Surveyed[] = [];
    for (const built of context.built) {
      context.onStep(built.manifest.id);
      const figures = await withServer(context, built.manifest, "complete", (server) =>
        takeTurn(server, plan, context),
      );
      surveyed.push({ built, figures });
    }
    this.#surveyed = surveyed;
    return {
      status: "measured",
      findings: {
        subject: `complete mode, one window of ${plan.windowMs / 1000} s for each`,
        figures: surveyed.flatMap(({ built: { manifest }, figures }) => [
          medianFigure(`${manifest.id}: responses`, "/s", [figures.completedRps]),
          medianFigure(`${manifest.id}: load workers busy`, "share", [figures.loadBusy]),
          medianFigure(`${manifest.id}: sampler's share of a core`, "share", [samplerShare(figures)]),
        ]),
        othersShares: surveyed.map(({ figures }) => figures.othersShare),
      },
    };
  }

  /** The adapters from the fastest to the slowest. */
  get byRate(): readonly BuiltAdapter[] {
    return this.#sorted((figures) => figures.completedRps);
  }

  /** @throws TypeError where the survey hasn't run */
  get fastest(): BuiltAdapter {
    return first(this.byRate);
  }

  /** @throws TypeError where the survey hasn't run */
  get slowest(): BuiltAdapter {
    return first(this.byRate.toReversed());
  }

  /** @throws TypeError where the survey hasn't run */
  get dearestToSample(): BuiltAdapter {
    return first(this.#sorted(samplerShare));
  }

  #sorted(score: (figures: TurnFigures) => number): BuiltAdapter[] {
    return this.#surveyed.toSorted((a, b) => score(b.figures) - score(a.figures)).map(({ built }) => built);
  }
}

function first([built]: readonly BuiltAdapter[]): BuiltAdapter {
  if (built === undefined) throw new TypeError("what chooses by the survey needs it to have run");
  return built;
}

function samplerShare({ samplerShare }: TurnFigures): number {
  return samplerShare ?? 0;
}
