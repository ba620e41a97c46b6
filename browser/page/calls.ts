/** Calls from here into the instrument of a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Page } from "playwright-core";
import { answerOf } from "./answer.ts";
import {
  installInstrument,
  type PageReading,
  READY_MARK,
  type ReadyReading,
  type Vitals,
} from "./instrument.ts";

/** Where a value may change without a mutation, such as a field's, it is looked at again after so many frames. */
const LOOK_AGAIN_FRAMES = 6;

/** The library's own build for pages. */
function webVitals(): string {
  const main = createRequire(import.meta.url).resolve("web-vitals");
  return readFileSync(path.join(path.dirname(main), "web-vitals.iife.js"), "utf8");
}

/** Puts the instrument into every document that the page opens from now on. */
export async function instrumentPage(page: Page, toggleLastAtReady: boolean): Promise<void> {
  const options = JSON.stringify({ readyMark: READY_MARK, toggleLastAtReady });
  // One script, so that the library is the instrument's alone: the page sees nothing of it.
  await page.addInitScript({ content: `${webVitals()};(${installInstrument})(${options});` });
}

export async function whenReady(page: Page, limitMs: number): Promise<ReadyReading> {
  return await answerOf(
    page.evaluate((limit) => window.todoBenchInstrument.whenReady(limit), limitMs),
    limitMs,
  );
}

export async function armPage(page: Page): Promise<void> {
  await answerOf(page.evaluate(() => window.todoBenchInstrument.arm()));
}

export async function readPageNow(page: Page, limitMs: number): Promise<PageReading> {
  const json = await answerOf(
    page.evaluate((limit) => window.todoBenchInstrument.read(limit), limitMs),
    limitMs,
  );
  return JSON.parse(json) as PageReading;
}

export async function nextChange(page: Page): Promise<void> {
  await answerOf(page.evaluate((frames) => window.todoBenchInstrument.nextChange(frames), LOOK_AGAIN_FRAMES));
}

export async function countTitles(page: Page): Promise<number> {
  return await answerOf(page.evaluate(() => window.todoBenchInstrument.countTitles()));
}

export async function readVitals(page: Page): Promise<Vitals> {
  return await answerOf(page.evaluate(() => window.todoBenchInstrument.vitals()));
}
