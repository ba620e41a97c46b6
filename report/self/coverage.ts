/**
 * Does the interval of a median hold what it says? Samples of known medians, drawn by a seeded generator from heavy
 * tails, and the share of their intervals that hold the true one.
 */
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { medianInterval, medianRanks } from "../statistics.ts";

/** A share of the unit interval, 1 excluded. */
type Random = () => number;

/** Values whose median is known. */
export interface Source {
  readonly name: string;
  readonly median: number;
  readonly draw: (random: Random) => number;
}

/** Infinite variance: its mean over many values settles slowly. */
const PARETO_SHAPE = 1.1;
/** Its 99th percentile is 33 times its median. */
const LOG_NORMAL_SIGMA = 1.5;

const pareto = (random: Random): number => (1 - random()) ** (-1 / PARETO_SHAPE);

/** Heavy-tailed ones, and the ratio of two equal arms with such readings, which is what a comparison takes. */
export const SOURCES: readonly Source[] = [
  { name: "Pareto", median: 2 ** (1 / PARETO_SHAPE), draw: pareto },
  { name: "log-normal", median: 1, draw: (random) => Math.exp(LOG_NORMAL_SIGMA * normal(random)) },
  { name: "Cauchy", median: 0, draw: (random) => Math.tan(Math.PI * (random() - 0.5)) },
  { name: "ratio of two Pareto", median: 1, draw: (random) => pareto(random) / pareto(random) },
];

/** Box and Muller's. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export interface Coverage {
  /** The level that the interval claims. */
  readonly level: number;
  /** The share of the trials whose interval held the true median. */
  readonly covered: number;
  /** Standard error of `covered`: that of a binomial share. */
  readonly standardError: number;
}

/**
 * Draws `trials` samples of `n` values.
 * @throws RangeError where an interval of so few values claims no level
 */
export function coverageOf(source: Source, n: number, trials: number, seed: number): Coverage {
  const ranks = medianRanks(n);
  if (ranks === null) throw new RangeError(`an interval of ${n} values claims no level`);
  const generator = xoroshiro128plus(seed);
  const random = () => uniformFloat64(generator);
  let held = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const { low, high } = medianInterval(Array.from({ length: n }, () => source.draw(random)));
    if (low <= source.median && source.median <= high) held += 1;
  }
  const covered = held / trials;
  return { level: ranks.level, covered, standardError: Math.sqrt((covered * (1 - covered)) / trials) };
}
