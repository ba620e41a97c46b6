/** The extra, unmeasured visit of a product: its last item is toggled within its own ready mark, and must answer. */
import type { BuiltAdapter } from "../harness/build.ts";
import type { BrowserPlan, ReadyCheck } from "../report/browser/schema.ts";
import { makeTodos } from "../todo/contract/data.ts";
import { openApp, shownTodos, toggle, viewOf } from "../todo/contract/model.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { problem } from "../todo/contract/problems.ts";
import { toFailure } from "./failure.ts";
import { type AtProduct, type BrowserPorts, onProduct } from "./on-product.ts";
import { readRaw } from "./opening.ts";
import { armPage, instrumentPage, readPageNow, whenReady } from "./page/calls.ts";
import { StageClock } from "./stage-clock.ts";
import { readUntilRight } from "./steps.ts";

export interface ReadyCheckRequest {
  readonly built: BuiltAdapter;
  readonly plan: BrowserPlan;
  readonly ports: BrowserPorts;
  readonly signal: AbortSignal;
}

/** Never throws but for an interruption, whose reason it passes on. */
export async function checkReadyOf(request: ReadyCheckRequest): Promise<ReadyCheck> {
  const { id: adapter } = request.built.manifest;
  const clock = new StageClock(request.ports);
  let keptIn: string | null = null;
  try {
    const problems = await onProduct({ ...request, clock }, async (at) => {
      clock.begin("open");
      const seen = await answersAtReady(at, request.plan);
      const { page } = at.browser;
      if (seen.length > 0)
        keptIn = await request.ports.keepEvidence(`${adapter}-ready`, { page, log: at.log, problems: seen });
      return seen;
    });
    return problems.length === 0
      ? { status: "right", adapter }
      : { status: "wrong", adapter, problems: [...problems], keptIn };
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    return { status: "failed", adapter, failure: toFailure(error, clock.stage), keptIn };
  }
}

/** Opens the page with the instrument told to press the last box, and waits for what that should have done. */
async function answersAtReady(
  { browser: { page }, origin }: AtProduct,
  { readyLimitMs, actLimitMs }: BrowserPlan,
): Promise<readonly Problem[]> {
  await instrumentPage(page, true);
  const response = await page.goto(`${origin}/`, { waitUntil: "commit", timeout: readyLimitMs });
  const { readyMs } = await whenReady(page, readyLimitMs);
  if (readyMs === null) return [problem("ready", `the ready mark within ${readyLimitMs} ms`, "none")];
  const { timestamp } = readRaw((await response?.text()) ?? "");
  if (timestamp === null) return [problem("timestamp", "one timestamp in all titles sent", "none")];
  const opened = openApp(makeTodos(timestamp));
  const last = shownTodos(opened).at(-1);
  const expected = viewOf(last === undefined ? opened : toggle(opened, last.id));
  await armPage(page);
  const { documentId } = await readPageNow(page, actLimitMs);
  const { problems } = await readUntilRight(expected, { page, documentId, actLimitMs });
  return problems.map((one) => ({ ...one, rule: `at-ready-${one.rule}` }));
}
