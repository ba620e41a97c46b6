/** Latency and first byte: histograms that hold what is said of them. */
import { decodeHistogram, type Histogram } from "../histogram.ts";
import type { Problem, Timings } from "../schema.ts";
import { atMost, type Check, equal, within } from "./check.ts";

const US_PER_MS = 1000;
/** A valid response can't have taken longer than the timeout, found by a sweep whose timer can be late. */
const TIMEOUT_SLACK_MS = 5000;
/** Readings are whole microseconds: one that was rounded lies half of one beside it, and less than one in any case. */
const ROUNDING_US = 1;
const SHARES = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1] as const;

/** Each histogram holds the completed requests, and its sum and maximum are those beside it within its precision. */
export const checkTimings: Check = ({ load }, plan) => {
  const latency = checkOne("latency", load.latency, load.completed);
  const firstByte = checkOne("first-byte", load.firstByte, load.completed);
  return [
    ...latency.problems,
    ...firstByte.problems,
    ...atMost("latency-max", load.latency.maxUs / US_PER_MS, plan.timeoutMs + TIMEOUT_SLACK_MS, "ms"),
    ...atMost(
      "first-byte-sum",
      load.firstByte.sumUs,
      load.latency.sumUs + load.completed * ROUNDING_US,
      "microseconds",
    ),
    ...atMost("first-byte-max", load.firstByte.maxUs, load.latency.maxUs + ROUNDING_US, "microseconds"),
    ...(latency.histogram && firstByte.histogram ? dominated(firstByte.histogram, latency.histogram) : []),
  ];
};

function checkOne(
  name: string,
  timings: Timings,
  completed: number,
): { problems: Problem[]; histogram: Histogram | null } {
  const count = equal(`${name}-count`, timings.count, completed, "readings");
  const decoded = decodeHistogram(timings.histogram);
  if (!decoded.ok) {
    const { problem } = decoded;
    return { problems: [...count, { ...problem, rule: `${name}-${problem.rule}` }], histogram: null };
  }
  const { total, sumUs, maxUs } = decoded.histogram;
  const slackUs = timings.count * ROUNDING_US;
  const edgeUs = timings.count === 0 ? 0 : ROUNDING_US;
  return {
    problems: [
      ...count,
      ...equal(`${name}-histogram`, total, timings.count, "readings"),
      ...within(`${name}-sum`, timings.sumUs, sumUs.low - slackUs, sumUs.high + slackUs, "microseconds"),
      ...within(`${name}-max`, timings.maxUs, maxUs.low - edgeUs, maxUs.high + edgeUs, "microseconds"),
      ...atMost(`${name}-mean`, timings.sumUs, timings.maxUs * timings.count, "microseconds in all"),
    ],
    histogram: decoded.histogram,
  };
}

/** Every request's first byte came before its last, so no percentile of the first is above that of the whole. */
function dominated(firstByte: Histogram, whole: Histogram): Problem[] {
  if (firstByte.total === 0 || whole.total === 0) return [];
  return SHARES.flatMap((share) =>
    atMost(
      `first-byte-p${share * 100}`,
      firstByte.percentileUs(share),
      whole.percentileUs(share) + ROUNDING_US,
      "microseconds",
    ),
  );
}
