/**
 * Whether the readings of one right visit can all be true: each rule that is broken comes back as a problem. A visit
 * that calls itself right has to be that in every reading that says so.
 */
import { atLeast, atMost, equal, holds } from "../checks/check.ts";
import { checkSequence } from "../checks/run.ts";
import type { Problem } from "../schema.ts";
import { sum } from "../statistics.ts";
import { UNTIMED_STEP } from "./figures.ts";
import {
  type BrowserPlan,
  type BrowserReadings,
  type BrowserStage,
  browserStageSchema,
  type RightVisit,
} from "./schema.ts";

/** Of a fresh document: every todo, at every reading. */
const TITLES = 100;

/** A page's clock and the runner's are both monotonic, but a stage begins and ends a message apart from the page. */
const CLOCK_SLACK_MS = 50;
/** RSS and PSS are read a moment apart. */
const MEMORY_SLACK_SHARE = 0.1;
const MEMORY_SLACK_BYTES = 4 * 2 ** 20;

/** A set of rules about one right visit. Nothing is thrown. */
type Check = (visit: RightVisit, plan: BrowserPlan) => Problem[];

/** Everything in a visit that can't be, each with the name of its rule. */
export function checkBrowserVisit(visit: RightVisit, plan: BrowserPlan): Problem[] {
  return CHECKS.flatMap((check) => check(visit, plan));
}

const STAGES: Check = ({ timing }) =>
  checkSequence(
    "timing.stages",
    browserStageSchema.options,
    timing.stages.map(({ stage }) => stage),
  );

const STEPS: Check = ({ steps }, { actLimitMs }) =>
  steps.flatMap(({ n, ms, problems }, index) => {
    const rule = `steps.${index}`;
    return [
      ...equal(`${rule}.n`, n, index + 1),
      ...equal(`${rule}.problems`, problems.length, 0),
      ...(n === UNTIMED_STEP
        ? holds(`${rule}.ms`, ms === null, "null: nothing may happen in it", `${ms} ms`)
        : holds(`${rule}.ms`, ms !== null, "a time", "null")),
      // The first step is the page's own way to ready, with a limit of its own.
      ...(n === 1 ? [] : atMost(`${rule}.ms`, ms ?? 0, actLimitMs, "ms")),
    ];
  });

/** Each title once, the same elements, over HTTP/2, on a display that is fast enough. */
const PAGE: Check = ({ titles, itemsKept, protocol, framesPerSecond }, { leastFramesPerSecond }) => [
  ...Object.entries(titles).flatMap(([reading, seen]) =>
    holds(`titles.${reading}`, seen === TITLES, `${TITLES}`, `${seen}`),
  ),
  ...equal("itemsKept.sent", itemsKept.sent, TITLES),
  ...equal("itemsKept.kept", itemsKept.kept, TITLES),
  ...holds("protocol", protocol === "h2", "h2", protocol),
  ...atLeast("framesPerSecond", framesPerSecond, leastFramesPerSecond),
];

/** What is null has its reason, and nothing else has one. */
const NULLS: Check = ({ metrics, nullReasons }) => {
  const missing = Object.entries(metrics)
    .filter(([, value]) => value === null)
    .map(([name]) => name);
  return checkSequence("nullReasons", missing.sort(), Object.keys(nullReasons).sort());
};

/** In the order in which a page comes about. */
const LOADING: Check = ({ metrics, steps }, { readyLimitMs }) => [
  ...inOrder(metrics, "ttfbMs", "fcpMs"),
  ...inOrder(metrics, "fcpMs", "lcpMs"),
  ...inOrder(metrics, "ttfbMs", "readyMs"),
  ...atMost("readyMs", metrics.readyMs ?? 0, readyLimitMs, "ms"),
  ...holds(
    "steps.0.ms",
    steps[0]?.ms === metrics.readyMs,
    `readyMs, ${metrics.readyMs} ms`,
    `${steps[0]?.ms} ms`,
  ),
];

function inOrder(
  metrics: BrowserReadings,
  early: keyof BrowserReadings,
  late: keyof BrowserReadings,
): Problem[] {
  const [first, second] = [metrics[early], metrics[late]];
  return first === null || second === null ? [] : atLeast(late, second, first, "ms");
}

/** What the page timed happened within the stages in which it did. */
const ROOM: Check = ({ timing, metrics, steps }) => {
  const roomMs = (name: BrowserStage): number =>
    sum(timing.stages.filter(({ stage }) => stage === name).map(({ durationMs }) => durationMs)) +
    CLOCK_SLACK_MS;
  const interactingMs = sum(steps.slice(1).map(({ ms }) => ms ?? 0));
  return [
    ...atMost("readyMs", metrics.readyMs ?? 0, roomMs("open"), "ms"),
    ...atMost("steps", interactingMs, roomMs("steps"), "ms"),
    ...atMost("inpMs", metrics.inpMs ?? 0, roomMs("steps"), "ms"),
  ];
};

/** A heap lies in the memory of its process, and what is shared counts in part only. */
const MEMORY: Check = ({ metrics }) =>
  (["Ready", "End"] as const).flatMap((moment) => {
    const rssBytes = metrics[`rendererRss${moment}Bytes`];
    if (rssBytes === null) return [];
    const most = rssBytes * (1 + MEMORY_SLACK_SHARE) + MEMORY_SLACK_BYTES;
    return ([`jsHeap${moment}Bytes`, `rendererPss${moment}Bytes`] as const).flatMap((name) => {
      const bytes = metrics[name];
      return bytes === null ? [] : atMost(name, bytes, most, "bytes");
    });
  });

const CHECKS: readonly Check[] = [STAGES, STEPS, PAGE, NULLS, LOADING, ROOM, MEMORY];
