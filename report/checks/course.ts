/** The course of a visit around its window: stages, probes and warm-up. */
import { assertNever } from "../assert-never.ts";
import { ratePerSecond } from "../figures.ts";
import type { Problem, RunPlan, StageName, Warm } from "../schema.ts";
import { sum } from "../statistics.ts";
import { atLeast, atMost, type Check, equal, holds, intervalSlackMs, within } from "./check.ts";

/** Clocks of two processes and their rounding. */
const CLOCK_SLACK_MS = 50;
/** A window's two instants are fixed in advance; their difference has the rounding of two floating-point numbers. */
const WINDOW_SLACK_MS = 1;
/** A server that is probed, and a fresh one that is measured; each is verified before its load and after it. */
const STAGES: readonly StageName[] = [
  "start",
  "verify",
  "probe",
  "verify",
  "stop",
  "restart",
  "verify",
  "warm",
  "measure",
  "verify",
  "stop",
];

/** Three probes of the planned length, at the connections, twice as many, and the first number again. */
export const checkProbes: Check = ({ probes }, plan) => [
  ...equal("probes", probes.length, 3, "probes"),
  ...probes.flatMap((probe, index) => [
    ...equal("probe-connections", probe.connections, plan.connections * (index === 1 ? 2 : 1)),
    ...within(
      "probe-length",
      probe.windowMs,
      plan.probeMs - WINDOW_SLACK_MS,
      plan.probeMs + WINDOW_SLACK_MS,
      "ms",
    ),
    ...within(
      "probe-rate",
      probe.completedRps,
      ratePerSecond(probe.completed, probe.windowMs) * (1 - 1e-9),
      ratePerSecond(probe.completed, probe.windowMs) * (1 + 1e-9),
      "a second",
    ),
    ...atMost("probe-timeouts", probe.timeouts, probe.errors, "errors"),
  ]),
];

/** The warm-up took as long as its status says. */
export const checkWarm: Check = ({ warm, load }, plan) => {
  const answers = warm.completed + warm.errors + warm.non2xx + warm.invalidBodies;
  return [
    ...within(
      "warm-length",
      warm.durationMs,
      plan.warmMs - CLOCK_SLACK_MS,
      Math.max(plan.warmLimitMs, plan.warmMs) + intervalSlackMs(plan.warmLimitMs),
      "ms",
    ),
    ...warmStatus(warm, plan),
    ...(warm.allAnsweredMs === null ? [] : atLeast("warm-answers", answers, load.connections, "answers")),
    ...atMost("warm-timeouts", warm.timeouts, warm.errors, "errors"),
  ];
};

function warmStatus({ status, durationMs, allAnsweredMs }: Warm, plan: RunPlan): Problem[] {
  const answeredMs = allAnsweredMs ?? Number.POSITIVE_INFINITY;
  switch (status) {
    case "ok":
      return [
        ...atMost("warm-ok", durationMs, plan.warmMs + intervalSlackMs(plan.warmMs), "ms"),
        ...within("warm-ok-answered", answeredMs, 0, plan.warmMs, "ms"),
      ];
    case "extended":
      return within("warm-extended-answered", answeredMs, plan.warmMs, durationMs, "ms");
    case "short":
      return atLeast("warm-short-answered", answeredMs, plan.warmLimitMs - CLOCK_SLACK_MS, "ms");
    default:
      return assertNever(status);
  }
}

/** Every stage ran, in order, and the windows fit into theirs. */
export const checkStages: Check = ({ timing, warm, load, verified, server }, plan) => {
  const ran = timing.stages.map(({ stage }) => stage);
  const spentMs = (...names: StageName[]) =>
    sum(timing.stages.filter(({ stage }) => names.includes(stage)).map(({ durationMs }) => durationMs));
  return [
    ...holds("stages", STAGES.join() === ran.join(), STAGES.join(", "), ran.join(", ")),
    ...atLeast("stage-probe", spentMs("probe"), plan.unrecordedMs + 3 * plan.probeMs - CLOCK_SLACK_MS, "ms"),
    ...atLeast(
      "stage-measure",
      spentMs("warm", "measure"),
      warm.durationMs + load.windowMs - 4 * CLOCK_SLACK_MS,
      "ms",
    ),
    ...atMost("start-time", server.startMs, spentMs("start", "restart") + CLOCK_SLACK_MS, "ms"),
    ...atLeast("verified", verified.bodyBytes, 1, "bytes"),
    ...atLeast("verified", verified.requests, 1, "requests"),
  ];
};

/** Chunks are what `progressive` answers in, and a Content-Length is what `complete` has instead. */
export const checkChunks: Check = ({ verified, responseMode }) =>
  responseMode === "progressive"
    ? within("chunks", verified.chunks, 1, Math.max(1, verified.bodyBytes), "chunks")
    : equal("chunks", verified.chunks, 0, "chunks");
