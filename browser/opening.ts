/** Step 1: opens the page, and compares what the server sent with what the page has made of it. */
import type { Page } from "playwright-core";
import { parsePage } from "../harness/parse5-node.ts";
import type { StepResult, TitleCounts } from "../report/browser/schema.ts";
import { TODO_COUNT } from "../todo/contract/data.ts";
import { allElements, hasAttribute } from "../todo/contract/dom.ts";
import { timestampOf } from "../todo/contract/page-check.ts";
import { readPage } from "../todo/contract/page-state.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { differs, problem } from "../todo/contract/problems.ts";
import { type PlannedStep, planSteps } from "../todo/contract/steps.ts";
import { judgeReading } from "./oracle.ts";
import { answerOf, hasEnded, hasNavigated, pageLost } from "./page/answer.ts";
import { armPage, countTitles, readPageNow, whenReady } from "./page/calls.ts";
import type { ReadyReading } from "./page/instrument.ts";

const PROTOCOL = "h2";

export interface OpeningOptions {
  readonly page: Page;
  /** Of the front. */
  readonly origin: string;
  readonly stepSeed: number;
  readonly actLimitMs: number;
  readonly readyLimitMs: number;
}

export interface Opened {
  /** Its problems are what is wrong with the opening. */
  readonly step: StepResult;
  /** Steps 2 to 29; none where the opening was wrong: nothing can be said of them then. */
  readonly rest: readonly PlannedStep[];
  readonly documentId: string;
  readonly ready: ReadyReading;
  readonly titles: TitleCounts;
  /** Wall clock, ms since the epoch; never where the page wasn't ready. */
  readonly readyAtMs: number;
}

/** @throws BenchError `page-lost` where nothing is opened, where it doesn't answer, and where it doesn't stay */
export async function openPage(options: OpeningOptions): Promise<Opened> {
  try {
    return await openAndLook(options);
  } catch (error) {
    throw hasNavigated(error) ? pageLost("the page went to another document by itself", error) : error;
  }
}

async function openAndLook(options: OpeningOptions): Promise<Opened> {
  const { page, stepSeed, actLimitMs, readyLimitMs } = options;
  const { status, ready, raw } = await openDocument(options);
  const [opening, ...rest] = planSteps(raw.timestamp ?? "(one timestamp)", stepSeed);
  if (opening === undefined) throw new RangeError("the steps begin with the opening");
  await armPage(page);
  const first = await readPageNow(page, actLimitMs);
  const later = await countAgain(page, opening.recountAfterMs);
  const titles = {
    raw: raw.titles,
    beforeReady: ready.titlesBeforeReady,
    afterReady: ready.titlesNow,
    later,
  };
  const expected = opening.acts[0]?.after;
  const last = await readPageNow(page, actLimitMs);
  const problems = [
    ...(ready.readyMs === null ? [problem("ready", `the ready mark within ${readyLimitMs} ms`, "none")] : []),
    ...(raw.timestamp === null ? [problem("timestamp", "one timestamp in all titles sent", "none")] : []),
    ...differs("response-status", 200, status),
    ...differs("protocol", PROTOCOL, ready.protocol),
    ...judgeTitles(titles),
    ...judgeKept(ready),
    ...(expected === undefined
      ? []
      : [first, last].flatMap((reading) => judgeReading(reading, expected, first.documentId))),
  ];
  return {
    step: { n: opening.n, ms: ready.readyMs, problems },
    rest: problems.length === 0 ? rest : [],
    documentId: first.documentId,
    ready,
    titles,
    readyAtMs: ready.timeOriginMs + (ready.readyMs ?? Number.POSITIVE_INFINITY),
  };
}

/** What the server sent, and what had become of it when it was ready. */
export interface OpenedDocument {
  readonly status: number | null;
  readonly ready: ReadyReading;
  readonly raw: RawReading;
}

/** @throws BenchError `page-lost` where there is no response, or no end of it */
export async function openDocument({
  page,
  origin,
  readyLimitMs,
}: Pick<OpeningOptions, "page" | "origin" | "readyLimitMs">): Promise<OpenedDocument> {
  const opening = page.goto(`${origin}/`, { waitUntil: "commit", timeout: readyLimitMs });
  const response = await opening.catch((error: Error) => {
    if (hasEnded(page, error)) throw error;
    throw pageLost(`the page doesn't open: ${error.message.split("\n", 1)[0]}`, error);
  });
  const ready = await whenReady(page, readyLimitMs);
  const html = response === null ? "" : await answerOf(response.text(), readyLimitMs);
  return { status: response?.status() ?? null, ready, raw: readRaw(html) };
}

/** What only the response itself shows. */
export interface RawReading {
  /** Titles in its markup. */
  readonly titles: number;
  /** Null where there isn't exactly one in all of them. */
  readonly timestamp: string | null;
}

function readRaw(html: string): RawReading {
  const { root } = parsePage(html);
  const titles = allElements(root).filter((element) => hasAttribute(element, "data-title"));
  return { titles: titles.length, timestamp: timestampOf(readPage(root)) };
}

/** The contract's own wait: what a page does by itself after it was ready shows by then. */
async function countAgain(page: Page, afterMs: number): Promise<number> {
  const waiting = page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), afterMs);
  await answerOf(waiting, afterMs);
  return await countTitles(page);
}

/** The same titles in the response, before and after ready, and later. */
export function judgeTitles(titles: TitleCounts): Problem[] {
  return (Object.keys(titles) as (keyof TitleCounts)[]).flatMap((when) =>
    differs(`titles-${when}`, TODO_COUNT, titles[when]),
  );
}

/** After hydration the page holds the same item elements that the server sent, and no others. */
export function judgeKept({ itemsSent, itemsKept, itemsNow }: ReadyReading): Problem[] {
  return [
    ...differs("items-sent", TODO_COUNT, itemsSent),
    ...differs("items-kept", itemsSent, itemsKept),
    ...differs("items-after-ready", TODO_COUNT, itemsNow),
  ];
}
