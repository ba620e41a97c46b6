/** The extra, unmeasured visit of a product: its last item is toggled within its own ready mark, and must answer. */
import type { BuiltAdapter } from "../harness/build.ts";
import type { BrowserPlan, ReadyCheck } from "../report/browser/schema.ts";
import { makeTodos, TODO_COUNT } from "../todo/contract/data.ts";
import { openApp, shownTodos, toggle, viewOf } from "../todo/contract/model.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { differs, problem } from "../todo/contract/problems.ts";
import { toFailure } from "./failure.ts";
import { type AtProduct, type BrowserPorts, onProduct } from "./on-product.ts";
import { openDocument } from "./opening.ts";
import { armPage, instrumentPage, readPageNow } from "./page/calls.ts";
import { type ParsedItems, readParsed, watchParsing } from "./page/parsing.ts";
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
    const keep = async (
      { browser: { page }, log }: AtProduct,
      problems: readonly unknown[],
    ): Promise<void> => {
      keptIn = await request.ports.keepEvidence(`${adapter}-ready`, { page, log, problems });
    };
    const onFailure = (at: AtProduct, error: unknown): Promise<void> => keep(at, [String(error)]);
    const problems = await onProduct({ ...request, clock, onFailure }, async (at) => {
      clock.begin("open");
      const seen = await answersAtReady(at, request.plan);
      if (seen.length > 0) await keep(at, seen);
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
  await watchParsing(page);
  const { ready, raw } = await openDocument({ page, origin, readyLimitMs });
  if (ready.readyMs === null) return [problem("ready", `the ready mark within ${readyLimitMs} ms`, "none")];
  const { timestamp } = raw;
  if (timestamp === null) return [problem("timestamp", "one timestamp in all titles sent", "none")];
  const opened = openApp(makeTodos(timestamp));
  const last = shownTodos(opened).at(-1);
  const expected = viewOf(last === undefined ? opened : toggle(opened, last.id));
  await armPage(page);
  const { documentId } = await readPageNow(page, actLimitMs);
  const { problems } = await readUntilRight(expected, { page, documentId, actLimitMs });
  return [
    ...judgeParsed(await readParsed(page), last?.id ?? ""),
    ...problems.map((one) => ({ ...one, rule: `at-ready-${one.rule}` })),
  ];
}

/** The items that the parser made are there to stay; the one that was pressed may have been made anew. */
function judgeParsed({ seen, replaced }: ParsedItems, pressed: string): Problem[] {
  const lost = replaced.filter((id) => id !== pressed);
  return [...differs("items-parsed", TODO_COUNT, seen.length), ...differs("items-replaced", 0, lost.length)];
}
