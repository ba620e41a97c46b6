/** Plain samples: percentiles, medians, and an interval for the median that assumes no distribution. */

/** Below this many rounds no symmetric pair of order statistics covers the median with 95 %: 5 give 93.75 %. */
const LEAST_LEVEL = 0.95;

/** The largest value, however many there are (a call's arguments have a limit); -Infinity of none. */
export function largest(sample: readonly number[]): number {
  return sample.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}

/**
 * The sorted value at index `floor((n - 1) * p)`.
 *
 * @param p a share, 0 to 1
 * @throws RangeError on an empty sample or a share outside 0 to 1
 */
export function percentile(sample: readonly number[], p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a percentile's share lies between 0 and 1, not at ${p}`);
  const sorted = sort(sample);
  return at(sorted, Math.floor((sorted.length - 1) * p));
}

/** The middle value; of an even count the mean of the two in the middle. @throws RangeError on an empty sample */
export function median(sample: readonly number[]): number {
  const sorted = sort(sample);
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(sorted, upper) : (at(sorted, upper - 1) + at(sorted, upper)) / 2;
}

/** Which order statistics bound the median of `n` values, counted from 1, and how surely. */
export interface MedianRanks {
  readonly low: number;
  readonly high: number;
  /** The exact level: the chance that the interval holds the median, whatever the (continuous) distribution. */
  readonly level: number;
}

/**
 * The narrowest symmetric pair of order statistics (`k`-th smallest, `k`-th largest) whose level is at least 95 %, or
 * null where even the extremes don't reach it, which is below six values. Ten values: the second and the ninth, 97.9 %.
 *
 * The number of values below the median is binomial (n, 1/2), so the level is `1 - 2 P(B <= k - 1)`: David and
 * Nagaraja, Order Statistics, third edition, section 7.1; Hahn and Meeker, Statistical Intervals, section 5.2. It is exact for
 * continuous distributions and a lower bound where values can be equal.
 */
export function medianRanks(n: number): MedianRanks | null {
  let probability = 0.5 ** n;
  let below = 0;
  let best: MedianRanks | null = null;
  for (let k = 1; k <= n / 2; k += 1) {
    below += probability;
    const level = 1 - 2 * below;
    if (level < LEAST_LEVEL) break;
    best = { low: k, high: n + 1 - k, level };
    probability *= (n - k + 1) / k;
  }
  return best;
}

/** Low and high of a sample's median; `level` is null where they are only the range. */
export interface MedianInterval {
  readonly low: number;
  readonly high: number;
  readonly level: number | null;
}

/** The order-statistic interval of the median, or the range where the sample is too small for one. @throws RangeError on an empty sample */
export function medianInterval(sample: readonly number[]): MedianInterval {
  const sorted = sort(sample);
  const ranks = medianRanks(sorted.length);
  return ranks === null
    ? { low: at(sorted, 0), high: at(sorted, sorted.length - 1), level: null }
    : { low: at(sorted, ranks.low - 1), high: at(sorted, ranks.high - 1), level: ranks.level };
}

/** The sum; 0 of nothing. */
export function sum(sample: readonly number[]): number {
  return sample.reduce((total, value) => total + value, 0);
}

function sort(sample: readonly number[]): number[] {
  return [...sample].sort((a, b) => a - b);
}

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new RangeError("an empty sample has no percentile");
  return value;
}
