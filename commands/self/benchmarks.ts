/** All benchmarks of the suite itself, in the order in which they run: what is needed stands before what needs it. */
import { frames } from "../../browser/self/frames.ts";
import { front } from "../../browser/self/front.ts";
import type { SelfBenchmark } from "../../harness/self-benchmark.ts";
import { coverage } from "../../runner/self/coverage.ts";
import { kit } from "../../runner/self/kit.ts";
import { loadWorkers } from "../../runner/self/load-workers.ts";
import { sameBuild } from "../../runner/self/same-build.ts";
import { sampler } from "../../runner/self/sampler.ts";
import { stages } from "../../runner/self/stages.ts";
import { Survey } from "../../runner/self/survey.ts";
import { besideWrk } from "../../runner/self/wrk.ts";

/** Made anew for each run: they pass on what the survey has found. */
export function selfBenchmarks(): readonly SelfBenchmark[] {
  const survey = new Survey();
  return [
    coverage,
    survey,
    loadWorkers(survey),
    besideWrk(survey),
    sameBuild(survey),
    sampler(survey),
    stages(survey),
    kit(survey),
    front,
    frames,
  ];
}
