/** A page from its opening to its last step, with everything that is read of it on the way. */
import type { PlannedBrowserVisit } from "../report/browser/order.ts";
import {
  type BrowserPlan,
  type BrowserReadings,
  type BrowserStage,
  STEP_COUNT,
  type StepResult,
  type TitleCounts,
} from "../report/browser/schema.ts";
import type { Problem } from "../todo/contract/problem.ts";
import type { OpenBrowser } from "./chromium.ts";
import { judgeLog, type PageLog, scriptBytes } from "./log.ts";
import { type MemoryReading, noReadings, readingsOf, readMemory } from "./metrics.ts";
import { openPage } from "./opening.ts";
import { answerOf } from "./page/answer.ts";
import { instrumentPage, readVitals } from "./page/calls.ts";
import { judgeEnd, walkSteps } from "./steps.ts";

export interface WalkPageOptions {
  readonly browser: OpenBrowser;
  /** Of the front. */
  readonly origin: string;
  readonly log: PageLog;
  readonly planned: PlannedBrowserVisit;
  readonly plan: BrowserPlan;
  readonly onStage: (stage: BrowserStage) => void;
}

export interface Walked {
  readonly steps: StepResult[];
  readonly metrics: BrowserReadings;
  readonly nullReasons: Record<string, string>;
  readonly titles: TitleCounts;
  readonly itemsKept: { readonly sent: number; readonly kept: number };
  readonly protocol: string;
  /** What is wrong beside the steps. */
  readonly problems: readonly Problem[];
}

/** @throws whatever keeps the page from being opened at all; what is wrong with it afterwards is data */
export async function walkPage(options: WalkPageOptions): Promise<Walked> {
  const { browser, origin, log, planned, plan, onStage } = options;
  const { page, cdp } = browser;
  await instrumentPage(page, false);
  onStage("open");
  const opened = await openPage({ page, origin, stepSeed: planned.stepSeed, ...plan });
  const { documentId, ready, titles, rest } = opened;
  const walking = { page, documentId, actLimitMs: plan.actLimitMs };
  const rendererPid = await answerOf(browser.rendererPid());
  const memory = (): Promise<MemoryReading> => answerOf(readMemory(cdp, rendererPid));
  const atReady = await memory();
  onStage("steps");
  const steps = allSteps(opened.step, await walkSteps(rest, walking));
  onStage("metrics");
  const seen = {
    titles,
    itemsKept: { sent: ready.itemsSent, kept: ready.itemsKept },
    protocol: ready.protocol,
  };
  const logged = (): Problem[] => judgeLog(log, opened.readyAtMs);
  // A page that is wrong may be stuck, too, and its readings are nobody's.
  if (steps.some(({ problems }) => problems.length > 0))
    return { ...seen, steps, ...noReadings("the page was wrong by then"), problems: logged() };
  const vitals = await readVitals(page);
  const atEnd = await memory();
  const gathered = { vitals, readyMs: ready.readyMs, jsTransferBytes: scriptBytes(log), atReady, atEnd };
  const atLast = await judgeEnd(rest, steps, walking);
  return { ...seen, steps: atLast, ...readingsOf(gathered), problems: logged() };
}

/** One result for each of the 29, also where nothing came after the opening. */
function allSteps(opening: StepResult, rest: readonly StepResult[]): StepResult[] {
  const known = [opening, ...rest];
  return Array.from(
    { length: STEP_COUNT },
    (_, index) => known[index] ?? { n: index + 1, ms: null, problems: [] },
  );
}
