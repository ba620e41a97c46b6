/** Visits → rows: what a browser report says of each product. Pure; nothing is rounded, filled in or left out. */
import { deviationsOf, type OverRounds, overRounds } from "../over-rounds.ts";
import { browserFiguresOf, stepPath } from "./figures.ts";
import {
  type BrowserFigure,
  type BrowserPlan,
  type BrowserRow,
  type RightVisit,
  STEP_COUNT,
} from "./schema.ts";

/** A row for each adapter of the plan that was visited, in the plan's order; warnings name those that weren't. */
export function browserRowsOf(plan: BrowserPlan, visits: readonly RightVisit[]): BrowserRow[] {
  return plan.adapters.flatMap((adapter) => {
    const own = visits.filter((visit) => visit.adapter === adapter).sort((a, b) => a.round - b.round);
    const [first] = own;
    return first === undefined ? [] : [rowOf(first, own)];
  });
}

function rowOf(first: RightVisit, visits: readonly RightVisit[]): BrowserRow {
  const over = overRounds(visits.map((visit) => ({ round: visit.round, figures: browserFiguresOf(visit) })));
  const figure = (path: string): BrowserFigure => figureOf(path, over);
  return {
    adapter: first.adapter,
    runtime: first.runtime,
    runtimeVersion: first.runtimeVersion,
    frameworkVersion: first.frameworkVersion,
    rounds: visits.length,
    ttfbMs: figure("ttfbMs"),
    fcpMs: figure("fcpMs"),
    lcpMs: figure("lcpMs"),
    cls: figure("cls"),
    inpMs: figure("inpMs"),
    readyMs: figure("readyMs"),
    interactionMs: figure("interactionMs"),
    navigationMs: figure("navigationMs"),
    stepMs: Array.from({ length: STEP_COUNT }, (_, index) => figure(stepPath(index + 1))),
    jsTransferBytes: figure("jsTransferBytes"),
    jsHeapReadyBytes: figure("jsHeapReadyBytes"),
    jsHeapEndBytes: figure("jsHeapEndBytes"),
    rendererRssReadyBytes: figure("rendererRssReadyBytes"),
    rendererRssEndBytes: figure("rendererRssEndBytes"),
    rendererPssReadyBytes: figure("rendererPssReadyBytes"),
    rendererPssEndBytes: figure("rendererPssEndBytes"),
    deviations: deviationsOf(visits),
    nullReasons: over.nullReasons,
  };
}

/** With one round low and high are the figure itself, and no interval is claimed. */
function figureOf(path: string, { numbers, spread }: OverRounds): BrowserFigure {
  const median = numbers.get(path);
  if (median === undefined) return { median: null, low: null, high: null, level: null };
  return { median, ...(spread[path] ?? { low: median, high: median, level: null }) };
}
