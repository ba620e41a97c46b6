/** What a page is asked, and what becomes of a question that it doesn't answer. */
import type { Page } from "playwright-core";
import { BenchError } from "../../harness/errors.ts";

/** Far above what the slowest question takes on a busy machine; a page that is stuck in a loop never answers. */
const ANSWER_LIMIT_MS = 10_000;

/** Playwright's words for a document that is gone while something is asked of it. */
const NAVIGATED =
  /Execution context was destroyed|Cannot find context|No resource with given identifier|navigat/i;

/**
 * @param waitMs what the question itself lets the page wait
 * @throws BenchError `page-lost` where no answer comes
 */
export async function answerOf<T>(asked: Promise<T>, waitMs = 0): Promise<T> {
  const late = Promise.withResolvers<never>();
  const limitMs = waitMs + ANSWER_LIMIT_MS;
  const timer = setTimeout(
    () => late.reject(pageLost(`the page hasn't answered for ${limitMs / 1000} s`)),
    limitMs,
  );
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a question failed because there is no page any more that could be asked. */
export function hasEnded(page: Page, error: unknown): boolean {
  return page.isClosed() || (error instanceof Error && /\bcrashed\b/.test(error.message));
}

/** Whether a question failed because the page went to another document meanwhile. */
export function hasNavigated(error: unknown): boolean {
  return error instanceof Error && !(error instanceof BenchError) && NAVIGATED.test(error.message);
}

export function pageLost(message: string, cause?: unknown): BenchError {
  return new BenchError({
    stage: "open",
    code: "page-lost",
    message,
    hint: "Open the page by hand, with the developer tools, and look for a script that never ends, a response that never ends, or a reload.",
    cause,
  });
}
