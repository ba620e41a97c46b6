/** A benchmark of the suite itself, as `bench:self` runs it: runner and browser each bring their own. */
import type { SelfFindings } from "../report/self/findings.ts";
import type { BuiltAdapter } from "./build.ts";
import type { CpuAssignment } from "./cpus.ts";

/** What all benchmarks of one run share. */
export interface SelfContext {
  /** The adapters chosen, at least one, sorted by id. */
  readonly built: readonly BuiltAdapter[];
  /** True where a person chose them: then a benchmark doesn't choose among them by itself. */
  readonly filtered: boolean;
  /** The process itself is pinned to `cpus.others`. */
  readonly cpus: CpuAssignment;
  /** Instead of a benchmark's own number of rounds. */
  readonly rounds: number | undefined;
  /** Instead of a benchmark's own length of a window. */
  readonly seconds: number | undefined;
  readonly signal: AbortSignal;
  /** Told what begins, in a few words. */
  readonly onStep: (what: string) => void;
}

/** Measured, or why there is nothing to measure with on this machine. */
export type SelfRun =
  | { readonly status: "measured"; readonly findings: SelfFindings }
  | { readonly status: "skipped"; readonly reason: string };

export interface SelfBenchmark {
  readonly name: string;
  /** What it measures, in a line. */
  readonly about: string;
  /** What a missed target might come from, beside a busy machine. */
  readonly suspects: string;
  /** Names of benchmarks that have to have run before. */
  readonly needs: readonly string[];
  /** How long it takes, before it has begun. */
  expectedMs(context: SelfContext): number;
  /** @throws BenchError where it can't be measured; the context's signal's reason where it was interrupted */
  run(context: SelfContext): Promise<SelfRun>;
}
