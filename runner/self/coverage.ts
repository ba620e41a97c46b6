/** Whether intervals of medians hold what they say, by simulation. */
import { setImmediate } from "node:timers/promises";
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { type Coverage, coverageOf, SOURCES } from "../../report/self/coverage.ts";
import type { SelfFigure } from "../../report/self/findings.ts";

const TRIALS = 20_000;
const SEED = 1;
/** Numbers of rounds: the least that has an interval, the prescribed one, and more. */
const ROUNDS = [6, 10, 20];
const TOLERANCE = 0.01;
const EXPECTED_MS = 1_000;
/** Standard errors on either side that hold 95 % of a normal distribution. */
const Z_95 = 1.96;

export const coverage: SelfBenchmark = {
  name: "coverage",
  about: "whether the intervals of medians hold what they say, by simulation with heavy tails",
  suspects: "the order statistics or their levels: this depends on no machine",
  needs: [],
  expectedMs: () => EXPECTED_MS,
  run,
};

async function run({ signal, onStep }: SelfContext): Promise<SelfRun> {
  const figures: SelfFigure[] = [];
  for (const source of SOURCES) {
    for (const rounds of ROUNDS) {
      onStep(`${source.name}, ${rounds} rounds`);
      // Lets Ctrl-C through between two of them.
      await setImmediate();
      signal.throwIfAborted();
      figures.push(figureOf(source.name, rounds, coverageOf(source, rounds, TRIALS, SEED)));
    }
  }
  return {
    status: "measured",
    findings: { subject: `${TRIALS} trials each, seed ${SEED}`, figures, othersShares: [] },
  };
}

function figureOf(source: string, rounds: number, { level, covered, standardError }: Coverage): SelfFigure {
  const margin = Z_95 * standardError;
  return {
    name: `${source}, ${rounds} rounds`,
    unit: "share",
    value: covered,
    spread: { low: covered - margin, high: covered + margin, level: 0.95, count: TRIALS },
    target: { kind: "within", centre: level, tolerance: TOLERANCE, of: "value", belowSteal: null },
  };
}
