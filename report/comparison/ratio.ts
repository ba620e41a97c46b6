/** Two independent samples: by which factor one lies above the other, and how surely. */
import { median } from "../statistics.ts";

export interface IndependentRatio {
  /** The median of all quotients of a reading of the second sample and one of the first. */
  readonly ratio: number;
  /** Null where there are too few readings for an interval. */
  readonly interval: { readonly low: number; readonly high: number; readonly level: number } | null;
}

const LEAST_LEVEL = 0.95;
/** On either side, as for every interval of the suite. */
export const LEAST_ROUNDS = 6;

/**
 * The Hodges-Lehmann estimate of a factor between two samples, and the interval that belongs to the Mann-Whitney test:
 * the order statistics of all quotients whose exact level is at least 95 %. It assumes no distribution but that the two
 * have the same shape on a logarithmic scale. Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, third
 * edition, sections 4.2 and 4.3, on logarithms; a quotient is a difference there.
 *
 * @param first above 0; @param second above 0
 * @throws RangeError where a sample is empty or has a reading that isn't above 0
 */
export function independentRatio(first: readonly number[], second: readonly number[]): IndependentRatio {
  if (first.length === 0 || second.length === 0) throw new RangeError("an empty sample has no ratio");
  if ([...first, ...second].some((reading) => !(reading > 0)))
    throw new RangeError("a ratio is of readings above 0");
  const quotients = second.flatMap((b) => first.map((a) => b / a)).sort((x, y) => x - y);
  // On logarithms, so that the two samples swapped give the reciprocal.
  return {
    ratio: Math.exp(median(quotients.map(Math.log))),
    interval: intervalOf(quotients, first.length, second.length),
  };
}

function intervalOf(quotients: readonly number[], n: number, m: number): IndependentRatio["interval"] {
  if (Math.min(n, m) < LEAST_ROUNDS) return null;
  const rank = rankOf(n, m);
  const [low, high] = [quotients[rank.k - 1], quotients[quotients.length - rank.k]];
  return low === undefined || high === undefined ? null : { low, high, level: rank.level };
}

/** The highest rank from both ends whose level is at least 95 %, counted from 1. */
function rankOf(n: number, m: number): { readonly k: number; readonly level: number } {
  const counts = mannWhitneyCounts(n, m);
  const all = counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  let best = { k: 1, level: 1 - (2 * (counts[0] ?? 0)) / all };
  for (const [u, count] of counts.entries()) {
    below += count;
    const level = 1 - (2 * below) / all;
    if (level < LEAST_LEVEL) break;
    best = { k: u + 1, level };
  }
  return best;
}

/**
 * In how many orders of `n` and `m` readings the Mann-Whitney statistic is 0, 1, … n·m. Counted reading by reading: the
 * largest of all is one of the n, which then lies above all m, or one of the m (Mann and Whitney, The Annals of
 * Mathematical Statistics 18, 1947).
 */
export function mannWhitneyCounts(n: number, m: number): readonly number[] {
  let row: (readonly number[])[] = Array.from({ length: m + 1 }, () => [1]);
  for (let i = 1; i <= n; i += 1) {
    const next: (readonly number[])[] = [[1]];
    for (let j = 1; j <= m; j += 1) {
      const shifted = row[j] ?? [];
      const other = next[j - 1] ?? [];
      next.push(Array.from({ length: i * j + 1 }, (_, u) => (shifted[u - j] ?? 0) + (other[u] ?? 0)));
    }
    row = next;
  }
  return row[m] ?? [];
}
