/**
 * The HDR histograms of a visit: latency and first byte, in whole microseconds, 3 significant digits, as
 * `encodeIntoCompressedBase64` of hdr-histogram-js writes them.
 */
import { decodeFromCompressedBase64, JsHistogram } from "hdr-histogram-js";
import type { Problem, Timings } from "./schema.ts";

const SIGNIFICANT_DIGITS = 3;
const US_PER_MS = 1000;
/** Far more than the largest takes, and little enough that what it might unfold to fits the memory. */
const MOST_CHARACTERS = 200_000;

/** What a decoded histogram can say. A bucket holds neighbouring values, so sums and extremes are bounds. */
export interface Histogram {
  readonly total: number;
  /** Lowest and highest sum of what was recorded. */
  readonly sumUs: { readonly low: number; readonly high: number };
  /** The bucket of the largest value; both 0 where nothing was recorded. */
  readonly maxUs: { readonly low: number; readonly high: number };
  /** Highest sum of the `n` largest values, of all where there are fewer. */
  readonly largestSumUs: (n: number) => number;
  /** The upper end of the bucket where at least `p` (a share, 0 to 1) of the values lie at or below it. */
  readonly percentileUs: (p: number) => number;
}

export type Decoded =
  | { readonly ok: true; readonly histogram: Histogram }
  | { readonly ok: false; readonly problem: Problem };

/** @param base64 what a report holds. Whatever is wrong with it comes back as a problem; nothing is thrown. */
export function decodeHistogram(base64: string): Decoded {
  if (base64.length > MOST_CHARACTERS) return refuse(`${base64.length} characters`);
  try {
    const decoded = decodeFromCompressedBase64(base64);
    return decoded instanceof JsHistogram ? read(decoded) : refuse("another implementation's object");
  } catch (error) {
    // The library throws plain errors and, from its bounds checks, strings and RangeErrors.
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(seen: string): Decoded {
  const expected = "a compressed HDR histogram of whole microseconds with 3 significant digits";
  return { ok: false, problem: { rule: "histogram", expected, seen } };
}

function read(source: JsHistogram): Decoded {
  if (source.numberOfSignificantValueDigits !== SIGNIFICANT_DIGITS || source.lowestDiscernibleValue !== 1) {
    return refuse(
      `${source.numberOfSignificantValueDigits} digits, unit ${source.lowestDiscernibleValue} microseconds`,
    );
  }
  let low = 0;
  let high = 0;
  let lastUs = 0;
  for (let index = 0; index < source.countsArrayLength; index += 1) {
    const count = source.getCountAtIndex(index);
    if (count < 0) return refuse(`a bucket with ${count} values`);
    if (count === 0) continue;
    lastUs = source.valueFromIndex(index);
    low += count * lastUs;
    high += count * source.highestEquivalentValue(lastUs);
  }
  const total = source.totalCount;
  return {
    ok: true,
    histogram: {
      total,
      sumUs: { low, high },
      maxUs: total === 0 ? { low: 0, high: 0 } : { low: lastUs, high: source.highestEquivalentValue(lastUs) },
      largestSumUs: (n) => largestSumUs(source, n),
      percentileUs: (p) => source.getValueAtPercentile(p * 100),
    },
  };
}

function largestSumUs(source: JsHistogram, n: number): number {
  let left = n;
  let sumUs = 0;
  for (let index = source.countsArrayLength - 1; index >= 0 && left > 0; index -= 1) {
    const taken = Math.min(left, source.getCountAtIndex(index));
    if (taken > 0) sumUs += taken * source.highestEquivalentValue(source.valueFromIndex(index));
    left -= taken;
  }
  return sumUs;
}

/** Milliseconds. */
export interface LatencyFigures {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * The figures of pooled readings, in ms; null where there are none, or where the histogram can't be read.
 *
 * A percentile is the histogram's own: the upper end of the bucket (at most 0.1 % wide) in which the value at rank
 * `ceil(n p)` lies, and never more than the exact maximum. Mean and maximum are exact, from the sum and maximum kept
 * beside the histogram.
 */
export function latencyFigures(timings: Timings): LatencyFigures | null {
  const decoded = decodeHistogram(timings.histogram);
  if (!decoded.ok || decoded.histogram.total === 0 || timings.count === 0) return null;
  const ms = (p: number) => Math.min(decoded.histogram.percentileUs(p), timings.maxUs) / US_PER_MS;
  return {
    mean: timings.sumUs / timings.count / US_PER_MS,
    p50: ms(0.5),
    p95: ms(0.95),
    p99: ms(0.99),
    max: timings.maxUs / US_PER_MS,
  };
}
