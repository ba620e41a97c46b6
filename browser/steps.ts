/** Walks the 29 steps: each act performed, awaited and judged, the last one of a step timed. */
import { stripVTControlCharacters } from "node:util";
import type { Page } from "playwright-core";
import { BenchError } from "../harness/errors.ts";
import type { StepResult } from "../report/browser/schema.ts";
import type { ModelView } from "../todo/contract/model.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { problem } from "../todo/contract/problems.ts";
import type { PlannedAct, PlannedStep } from "../todo/contract/steps.ts";
import { type PersonsAct, perform } from "./acts.ts";
import { judgeReading } from "./oracle.ts";
import { answerOf, hasEnded, hasNavigated } from "./page/answer.ts";
import { armPage, nextChange, readPageNow } from "./page/calls.ts";
import type { ActTimes } from "./page/instrument.ts";

export interface WalkOptions {
  readonly page: Page;
  /** Of the document that was opened. */
  readonly documentId: string;
  /** An act that hasn't been answered by then is wrong. */
  readonly actLimitMs: number;
}

/** Steps 2 to 29, as far as they are right: after a wrong one nothing can be said of the rest. */
export async function walkSteps(steps: readonly PlannedStep[], options: WalkOptions): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    const result = await walkStep(step, options);
    results.push(result);
    if (result.problems.length > 0) break;
  }
  return [...results, ...steps.slice(results.length).map(({ n }) => ({ n, ms: null, problems: [] }))];
}

async function walkStep(step: PlannedStep, options: WalkOptions): Promise<StepResult> {
  let times: ActTimes | null = null;
  // What mustn't change at all has no time to become right again.
  const patienceMs = step.settles === "two-frames" ? 0 : options.actLimitMs;
  for (const planned of step.acts) {
    const answered = await answerTo(planned, options, patienceMs);
    if (answered.problems.length > 0) return { n: step.n, ms: null, problems: [...answered.problems] };
    times = answered.times;
  }
  if (step.settles !== "mutation") return { n: step.n, ms: null, problems: [] };
  const ms = stepMs(times);
  if (ms !== null) return { n: step.n, ms, problems: [] };
  const problems = [problem("answer", "a mutation after the step's last input event", "none")];
  return { n: step.n, ms, problems };
}

/** The last trusted input event → the frame after the last mutation. Null where nothing was changed by it. */
export function stepMs(times: ActTimes | null): number | null {
  if (times === null || times.inputMs === null || times.frameMs === null) return null;
  return times.frameMs < times.inputMs ? null : times.frameMs - times.inputMs;
}

/** What the page has come to, and when. */
export interface Answered {
  readonly times: ActTimes | null;
  readonly problems: readonly Problem[];
}

/** Performs one act, and waits for its answer. */
async function answerTo(
  { act, after }: PlannedAct,
  options: WalkOptions,
  patienceMs: number,
): Promise<Answered> {
  const { page, actLimitMs } = options;
  try {
    await armPage(page);
    await answerOf(perform(page, act as PersonsAct, actLimitMs), actLimitMs);
  } catch (error) {
    if (hasEnded(page, error)) throw error;
    return { times: null, problems: [actFailed(act.kind, error)] };
  }
  return await readUntilRight(after, options, patienceMs);
}

/**
 * Reads the page when it is quiet, again and again until it is right or the limit has come: what isn't right yet may
 * still be on its way.
 * @param patienceMs the limit; with 0 it is read once
 */
export async function readUntilRight(
  expected: ModelView,
  options: WalkOptions,
  patienceMs = options.actLimitMs,
): Promise<Answered> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const answered = await readAnswer(expected, options);
    if (answered.problems.length === 0 || performance.now() >= deadlineMs) return answered;
  }
}

async function readAnswer(
  after: ModelView,
  { page, documentId, actLimitMs }: WalkOptions,
): Promise<Answered> {
  try {
    const reading = await readPageNow(page, actLimitMs);
    const problems = judgeReading(reading, after, documentId);
    if (problems.length > 0) await nextChange(page);
    return { times: reading.times, problems };
  } catch (error) {
    if (hasEnded(page, error)) throw error;
    if (isLost(error))
      return { times: null, problems: [problem("answer", "a page that answers", error.message)] };
    if (!hasNavigated(error)) throw error;
    // A page that goes elsewhere takes its context along; the new document is read next time, and tells.
    await answerOf(page.waitForLoadState("domcontentloaded"));
    return { times: null, problems: [problem("same-document", "the document of the start", "a navigation")] };
  }
}

/**
 * Reads the page once more at the visit's end: what changes by itself after a step shows in the next one, and after the
 * last there is none.
 * @returns the results, the last with what is wrong by now
 */
export async function judgeEnd(
  steps: readonly PlannedStep[],
  results: readonly StepResult[],
  options: WalkOptions,
): Promise<StepResult[]> {
  const expected = steps.at(-1)?.acts.at(-1)?.after;
  const last = results.at(-1);
  if (expected === undefined || last === undefined) return [...results];
  const { problems } = await readUntilRight(expected, options, 0);
  return [...results.slice(0, -1), { ...last, problems: [...problems] }];
}

function isLost(error: unknown): error is BenchError {
  return error instanceof BenchError && error.code === "page-lost";
}

function actFailed(kind: string, error: unknown): Problem {
  const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const seen = message.split("\n").slice(0, 3).join(" ");
  return problem("act", `a page that lets itself be acted on (${kind})`, seen);
}
