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
import { type MemoryReading, readingsOf, readMemory } from "./metrics.ts";
import { openPage } from "./opening.ts";
import { instrumentPage, readVitals } from "./page/calls.ts";
import { walkSteps } from "./steps.ts";

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
  const rendererPid = await browser.rendererPid();
  const atReady = await readMemory(cdp, rendererPid);
  onStage("steps");
  const { documentId, ready, titles, step: opening } = opened;
  const rest = await walkSteps(opened.rest, { page, documentId, actLimitMs: plan.actLimitMs });
  onStage("metrics");
  const vitals = await readVitals(page);
  const atEnd: MemoryReading = await readMemory(cdp, rendererPid);
  const gathered = { vitals, readyMs: ready.readyMs, jsTransferBytes: scriptBytes(log), atReady, atEnd };
  return {
    steps: allSteps(opening, rest),
    ...readingsOf(gathered),
    titles,
    itemsKept: { sent: ready.itemsSent, kept: ready.itemsKept },
    protocol: ready.protocol,
    problems: judgeLog(log, opened.readyAtMs),
  };
}

/** One result for each of the 29, also where nothing came after the opening. */
function allSteps(opening: StepResult, rest: readonly StepResult[]): StepResult[] {
  const known = [opening, ...rest];
  return Array.from(
    { length: STEP_COUNT },
    (_, index) => known[index] ?? { n: index + 1, ms: null, problems: [] },
  );
}
