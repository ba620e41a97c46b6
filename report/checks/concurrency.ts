/** What the counts and the latencies say of the connections: in flight = rate × latency (Little's law). */
import { failedCount } from "../figures.ts";
import { decodeHistogram } from "../histogram.ts";
import type { LoadReadings, RunPlan } from "../schema.ts";
import { atMost, type Check, within } from "./check.ts";

/** Requests in flight and connections waiting, on average, may differ from the connections by this share. */
const IN_FLIGHT_TOLERANCE = 0.05;
/** A timed-out request is found by a sweep, and the sweep's timer can be late. */
const TIMEOUT_SLACK_MS = 5000;
/** From an answer's end to the next request on a connection of its own: a handshake on loopback. */
const RECONNECT_MS = 50;
const US_PER_MS = 1000;

/** Time in flight and waiting, ÷ the window, is the number of connections: each is always in one of the two. */
export const checkInFlight: Check = ({ load }) => [
  ...within(
    "in-flight",
    (load.inFlightMs + load.waitingMs) / load.windowMs,
    load.connections * (1 - IN_FLIGHT_TOLERANCE),
    load.connections * (1 + IN_FLIGHT_TOLERANCE),
    "connections",
  ),
  ...atMost("starved", load.starvedConnections, load.connections, "connections"),
];

/**
 * The completed requests' rate × their mean latency, with what failed, waited or was still unfinished, makes the
 * connections. A rate and a latency that are each plausible, but not both at these connections, break it.
 */
export const checkLittle: Check = ({ load }, plan) => {
  const completedMs = load.latency.sumUs / US_PER_MS;
  const spentMs = completedMs + failedMs(load, plan) + unfinishedMs(load) + load.waitingMs;
  const explained = spentMs / load.windowMs;
  const least = load.connections * (1 - IN_FLIGHT_TOLERANCE);
  if (explained >= least) return [];
  const rate = load.completed / (load.windowMs / 1000);
  const meanMs = load.completed === 0 ? 0 : completedMs / load.completed;
  return [
    {
      rule: "rate-times-latency",
      expected: `${load.connections} connections in flight = rate × mean latency (Little's law), within 5 %`,
      seen: `${rate.toFixed(1)}/s × ${meanMs.toFixed(3)} ms and what is unfinished, failed or waiting: ${explained.toFixed(1)}`,
    },
  ];
};

/** The time in flight is that of the completed requests, clipped at the window's edges, and of the others. */
export const checkTimeInFlight: Check = ({ load }, plan) => {
  const completedMs = load.latency.sumUs / US_PER_MS;
  const clippedMs = load.connections * Math.min(load.latency.maxUs / US_PER_MS, longestMs(plan));
  const roundingMs = load.completed / US_PER_MS;
  return within(
    "time-in-flight",
    load.inFlightMs,
    Math.max(0, completedMs - clippedMs - roundingMs),
    completedMs +
      roundingMs +
      load.unfinished * Math.min(load.windowMs, longestMs(plan)) +
      failedMs(load, plan),
    "ms",
  );
};

/** A slot waits where its connection failed, before the window or in it, or where it never had an answer. */
export const checkWaiting: Check = ({ load, warm }, plan) => {
  const failedBefore = warm.errors + warm.non2xx + warm.invalidBodies;
  const slots = load.starvedConnections + failedCount(load) + Math.min(load.connections, failedBefore);
  const most = slots * Math.min(load.windowMs, longestMs(plan)) + load.connections * RECONNECT_MS;
  return atMost("waiting", load.waitingMs, most, "ms");
};

/** A timeout takes a connection for the whole of its limit. */
export const checkTimeouts: Check = ({ load }, plan) =>
  atMost(
    "timeouts",
    load.errors.timeout,
    load.connections * (Math.floor(load.windowMs / plan.timeoutMs) + 1),
    "timeouts",
  );

function longestMs({ timeoutMs }: RunPlan): number {
  return timeoutMs + TIMEOUT_SLACK_MS;
}

function failedMs(load: LoadReadings, plan: RunPlan): number {
  return failedCount(load) * Math.min(load.windowMs, longestMs(plan));
}

/**
 * What the unfinished requests can have taken: no longer than as many of the longest completed ones, or than the
 * longest time in which none was answered.
 */
function unfinishedMs(load: LoadReadings): number {
  const decoded = decodeHistogram(load.latency.histogram);
  const longestUs = decoded.ok ? decoded.histogram.largestSumUs(load.unfinished) : 0;
  return Math.max(longestUs / US_PER_MS, load.unfinished * load.longestGapMs);
}
