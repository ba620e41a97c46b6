/** Two arms that alternate within one run: the ratio of their readings, pair by pair. */
import { median, medianInterval } from "./statistics.ts";

export interface Ratio {
  /** Median over the pairs of first arm ÷ second arm. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** The interval's exact level; null below six pairs, where low and high are only the range. */
  readonly level: number | null;
  readonly pairs: number;
}

/**
 * Ratios are taken within each pair, whose two readings are neighbours in time, so that a drift of the machine cancels.
 * @throws RangeError where there is no pair, or a second reading is 0
 */
export function ratioOfPairs(pairs: readonly (readonly [first: number, second: number])[]): Ratio {
  const ratios = pairs.map(([first, second]) => {
    if (second === 0) throw new RangeError("a ratio to 0 says nothing");
    return first / second;
  });
  return { ratio: median(ratios), ...medianInterval(ratios), pairs: ratios.length };
}
