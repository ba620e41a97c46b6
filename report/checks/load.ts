/** The load's own counts and times have to add up, over the pooled readings and over the workers. */
import { failedCount, invalidCount } from "../figures.ts";
import type { LoadReadings } from "../schema.ts";
import { largest, sum } from "../statistics.ts";
import { atLeast, atMost, type Check, equal, holds, intervalSlackMs, sameNumbers, within } from "./check.ts";

const MS_PER_S = 1000;
const US_PER_MS = 1000;
const ROUNDING_S = 1e-6;
/** Any body may differ by this share from the one that the verifier saw: one item of the hundred is more than that. */
const BODY_TOLERANCE = 0.005;
/** Between an answer and the next request a slot has nothing in flight, for some microseconds of its milliseconds. */
const LEAST_OPEN_SHARE = 0.9;
/** The window's two instants are fixed in advance; their difference has the rounding of two floating-point numbers. */
const WINDOW_SLACK_MS = 1;
/** Part of a pinned process's own clock tick that rounding may add. */
const CPU_SLACK_MS = 50;

/** As many connections and workers as the plan has, each worker on its CPU of the plan, over a window of the planned length. */
export const checkLoadSettings: Check = ({ load }, plan) => [
  ...within(
    "window-length",
    load.windowMs,
    plan.windowMs - WINDOW_SLACK_MS,
    plan.windowMs + WINDOW_SLACK_MS,
    "ms",
  ),
  ...equal("connections", load.connections, plan.connections),
  ...equal("workers", load.workers.length, plan.workers),
  ...load.workers.flatMap((worker, nth) => [
    ...within(
      "worker-connections",
      worker.connections,
      Math.floor(plan.connections / plan.workers),
      Math.ceil(plan.connections / plan.workers),
    ),
    ...sameNumbers("worker-cpus", worker.cpus, [plan.cpus.others[nth % plan.cpus.others.length] as number]),
  ]),
];

/**
 * What was sent, or was due and couldn't be sent, has ended or was still in flight at one of the window's two edges.
 * Where no slot ever failed or waited, each had a request in flight at both edges but for a moment.
 */
export const checkSent: Check = ({ load }) => {
  const failed = failedCount(load);
  const surplus = load.sent - load.completed - failed;
  const openAtStart = load.unfinished - surplus;
  const undisturbed = failed === 0 && load.waitingMs === 0;
  const leastOpen = undisturbed ? Math.max(0, load.connections * LEAST_OPEN_SHARE - 1) : 0;
  return [
    ...within("sent", surplus, -load.connections, load.connections, "requests"),
    ...within("open-at-start", openAtStart, leastOpen, load.connections, "requests"),
    ...within("unfinished", load.unfinished, leastOpen, load.connections, "requests"),
    ...atLeast(
      "answered-connections",
      load.completed + load.non2xx + invalidCount(load),
      load.connections - load.starvedConnections,
      "answers",
    ),
  ];
};

/** The workers' parts are the whole, and each adds up by itself. */
export const checkWorkers: Check = ({ load }) => {
  const total = (read: (worker: LoadReadings["workers"][number]) => number) => sum(load.workers.map(read));
  return [
    ...equal(
      "workers-connections",
      total((worker) => worker.connections),
      load.connections,
    ),
    ...equal(
      "workers-sent",
      total((worker) => worker.sent),
      load.sent,
      "requests",
    ),
    ...equal(
      "workers-completed",
      total((worker) => worker.completed),
      load.completed,
      "requests",
    ),
    ...equal(
      "workers-failed",
      total((worker) => worker.failed),
      failedCount(load),
      "requests",
    ),
    ...load.workers.flatMap((worker) => [
      ...within(
        "worker-sent",
        worker.sent - worker.completed - worker.failed,
        -worker.connections,
        worker.connections,
        "requests",
      ),
      ...within(
        "worker-cpu-interval",
        worker.cpuIntervalMs,
        load.windowMs - intervalSlackMs(load.windowMs),
        load.windowMs + intervalSlackMs(load.windowMs),
        "ms",
      ),
      ...atMost(
        "worker-cpu",
        worker.cpuMs,
        worker.cpuIntervalMs * worker.cpus.length + CPU_SLACK_MS,
        "ms of CPU time",
      ),
      ...atLeast("worker-cpu", worker.cpuMs, worker.completed > 0 ? Number.MIN_VALUE : 0, "ms of CPU time"),
    ]),
  ];
};

/** The completions of each second are those of the window, less a last part of a second. */
export const checkSeconds: Check = ({ load }) => {
  const { completionsPerSecond: perSecond } = load;
  // A window of whole seconds may be a rounding error shorter, which costs it none of them.
  const wholeSeconds = Math.floor(load.windowMs / MS_PER_S + ROUNDING_S);
  const restSeconds = load.windowMs / MS_PER_S - wholeSeconds;
  // What a part of a second can hold at most: the rate of the best second twice over, and one answer a connection.
  const rest =
    restSeconds < ROUNDING_S ? 0 : Math.ceil(restSeconds * 2 * largest([0, ...perSecond])) + load.connections;
  const counted = equal("seconds", perSecond.length, wholeSeconds, "whole seconds");
  // Without a whole second nothing says what the part of one can hold.
  if (wholeSeconds === 0) return counted;
  return [
    ...counted,
    ...within("seconds-sum", sum(perSecond), load.completed - rest, load.completed, "completions"),
  ];
};

/** The longest gap fits the window, the number of answers and the seconds in which nothing completed. */
export const checkGap: Check = ({ load }) => {
  const answers = load.completed + load.non2xx + invalidCount(load);
  const silence = longestSilence(load.completionsPerSecond);
  const onlyValid = answers === load.completed;
  const most = onlyValid ? (silence + 2) * MS_PER_S : load.windowMs;
  return [
    // By the pigeonhole principle one of the `answers + 1` gaps is at least their mean.
    ...within(
      "longest-gap",
      load.longestGapMs,
      Math.max(load.windowMs / (answers + 1), onlyValid ? silence * MS_PER_S : 0) - 1e-3,
      Math.min(load.windowMs, most) + 1e-3,
      "ms",
    ),
  ];
};

function longestSilence(perSecond: readonly number[]): number {
  let longest = 0;
  let current = 0;
  for (const completions of perSecond) {
    current = completions === 0 ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

/** Body bytes: the sum is possible with the least and the most, and these are within 0.5 % of what the verifier saw. */
export const checkBodies: Check = ({ load, verified }) => {
  const { sum: total, min, max } = load.bodyBytes;
  if (load.completed === 0 || min === null || max === null) {
    const none = total === 0 && min === null && max === null && load.completed === 0;
    return holds(
      "body-bytes",
      none,
      "sum 0 and neither least nor most exactly where nothing completed",
      `sum ${total}, least ${min}, most ${max}, completed ${load.completed}`,
    );
  }
  const least = verified.bodyBytes * (1 - BODY_TOLERANCE);
  const most = verified.bodyBytes * (1 + BODY_TOLERANCE);
  // The least and the most are each one of the responses; the others lie between them.
  const others = load.completed - 1;
  return [
    ...atMost("body-bytes-order", min, max, "bytes"),
    ...within("body-bytes-sum", total, max + min * others, min + max * others, "bytes"),
    ...within("body-bytes-least", min, least, most, "bytes"),
    ...within("body-bytes-most", max, least, most, "bytes"),
  ];
};

/** Kept bodies were checked wherever something both began and completed, and a wrong one says what was wrong. */
export const checkKeptBodies: Check = ({ load, keptBodies }) => [
  ...within("kept-bodies", keptBodies.checked, leastKept(load), KEPT_BODIES_MOST, "bodies"),
  ...atMost("kept-bodies-wrong", keptBodies.wrong, keptBodies.checked, "bodies"),
  ...holds(
    "kept-bodies-problems",
    keptBodies.wrong > 0 === keptBodies.problems.length > 0,
    "problems exactly where a body was wrong",
    `${keptBodies.wrong} wrong, ${keptBodies.problems.length} problems`,
  ),
];

/**
 * A body is kept of a request that begins after a moment early in the window, and ends in it. Such a request begins
 * within one latency of that moment and ends within another; where two of them fill the window, there may be none.
 */
function leastKept({ completed, latency, windowMs }: LoadReadings): number {
  const longestMs = latency.maxUs / US_PER_MS;
  return 2 * longestMs < KEPT_BEGUN_WITHIN * windowMs ? Math.min(1, completed) : 0;
}

/** The first moment lies in the first of at least ten parts of the window. */
const KEPT_BEGUN_WITHIN = 0.9;

/** At most this many whole bodies are kept. */
const KEPT_BODIES_MOST = 50;

/** The load kept off the server's CPU unless there is no other. */
export const checkLoadCpus: Check = ({ load, sampled }) => [
  ...holds(
    "load-cpu-ticks",
    load.workers.every((worker) => worker.cpus.every((cpu) => sampled.loadCpuTicks.cpus.includes(cpu))),
    `among ${sampled.loadCpuTicks.cpus.join(", ")}`,
    load.workers.map((worker) => worker.cpus.join(", ")).join("; "),
  ),
];
