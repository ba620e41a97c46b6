/** Runs benchmarks of the suite one after another. One that can't be measured is a result with its reason; the rest go on. */
import { readCpuTicks, ticksBetween } from "../../harness/cpus.ts";
import { BenchError } from "../../harness/errors.ts";
import type { SelfBenchmark, SelfContext } from "../../harness/self-benchmark.ts";
import { tickSum } from "../../report/figures.ts";
import type { SelfOutcome, SelfResult } from "../../report/self/findings.ts";

/** What a run tells while it goes on. */
export type SelfEvent =
  | { readonly type: "plan"; readonly benchmarks: readonly { name: string; expectedMs: number }[] }
  | { readonly type: "benchmark"; readonly benchmark: string; readonly leftMs: number }
  | { readonly type: "step"; readonly benchmark: string; readonly step: string; readonly leftMs: number }
  | { readonly type: "result"; readonly result: SelfResult; readonly leftMs: number };

export type OnSelfEvent = (event: SelfEvent) => void;

/**
 * The benchmarks of these names and those that they need, in the table's order.
 * @param names null: all
 * @throws BenchError `usage` where there is none of such a name
 */
export function selectBenchmarks(
  all: readonly SelfBenchmark[],
  names: readonly string[] | null,
): readonly SelfBenchmark[] {
  if (names === null) return all;
  const unknown = names.find((name) => !all.some((benchmark) => benchmark.name === name));
  if (unknown !== undefined) throw unknownBenchmark(unknown, all);
  const wanted = new Set(names);
  for (const { name, needs } of all.toReversed()) {
    if (wanted.has(name)) for (const needed of needs) wanted.add(needed);
  }
  return all.filter(({ name }) => wanted.has(name));
}

function unknownBenchmark(name: string, all: readonly SelfBenchmark[]): BenchError {
  return new BenchError({
    stage: "plan",
    code: "usage",
    message: `there is no benchmark "${name}"`,
    hint: `There are: ${all.map((benchmark) => benchmark.name).join(", ")}`,
  });
}

/**
 * @returns a result for each benchmark
 * @throws the context's signal's reason where it was interrupted
 */
export async function runBenchmarks(
  benchmarks: readonly SelfBenchmark[],
  context: Omit<SelfContext, "onStep">,
  onEvent: OnSelfEvent,
): Promise<SelfResult[]> {
  const expected = benchmarks.map((benchmark) =>
    benchmark.expectedMs({ ...context, onStep: () => undefined }),
  );
  onEvent({
    type: "plan",
    benchmarks: benchmarks.map(({ name }, index) => ({ name, expectedMs: expected[index] as number })),
  });
  const results: SelfResult[] = [];
  for (const [index, benchmark] of benchmarks.entries()) {
    const laterMs = expected.slice(index + 1).reduce((sum, ms) => sum + ms, 0);
    const startedAtMs = performance.now();
    const leftMs = () =>
      laterMs + Math.max(0, (expected[index] as number) - (performance.now() - startedAtMs));
    onEvent({ type: "benchmark", benchmark: benchmark.name, leftMs: leftMs() });
    const onStep = (step: string) =>
      onEvent({ type: "step", benchmark: benchmark.name, step, leftMs: leftMs() });
    const result = await runOne(benchmark, { ...context, onStep }, results);
    results.push(result);
    onEvent({ type: "result", result, leftMs: laterMs });
  }
  return results;
}

async function runOne(
  benchmark: SelfBenchmark,
  context: SelfContext,
  earlier: readonly SelfResult[],
): Promise<SelfResult> {
  const { name, about, suspects } = benchmark;
  const startedAtMs = performance.now();
  const before = readCpuTicks();
  const outcome = lacking(benchmark, earlier) ?? (await outcomeOf(benchmark, context));
  const cpus = [...new Set([context.cpus.server, ...context.cpus.others])];
  const ticks = ticksBetween(before, readCpuTicks(), cpus);
  return {
    benchmark: name,
    about,
    suspects,
    durationMs: performance.now() - startedAtMs,
    stealShare: ticks.steal / Math.max(1, tickSum(ticks)),
    outcome,
  };
}

/** Null where all that it needs was measured. */
function lacking({ needs }: SelfBenchmark, earlier: readonly SelfResult[]): SelfOutcome | null {
  const missing = needs.find(
    (name) => !earlier.some(({ benchmark, outcome }) => benchmark === name && outcome.status === "measured"),
  );
  return missing === undefined
    ? null
    : { status: "skipped", reason: `it needs ${missing}, which wasn't measured` };
}

async function outcomeOf(benchmark: SelfBenchmark, context: SelfContext): Promise<SelfOutcome> {
  try {
    return await benchmark.run(context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof BenchError)) throw error;
    return { status: "failed", code: error.code, message: error.message, hint: error.hint };
  }
}
