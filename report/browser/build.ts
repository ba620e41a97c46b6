/** Plan, provenance, browser and right visits → the report. Pure: the same readings give the same report. */
import { cellName } from "../order.ts";
import { type RunProvenance, SCHEMA_VERSION, type Warning } from "../schema.ts";
import { stepPath, UNTIMED_STEP } from "./figures.ts";
import { browserRowsOf } from "./rows.ts";
import type { BrowserPlan, BrowserReport, BrowserRow, BrowserStack, RightVisit } from "./schema.ts";

export interface BrowserReportInput {
  readonly plan: BrowserPlan;
  readonly provenance: RunProvenance;
  readonly browser: BrowserStack;
  /** In the order in which they were made; after an interruption fewer than the plan has. */
  readonly visits: readonly RightVisit[];
  readonly contractVersion: number;
}

/** The report of a run whose visits were all right. */
export function buildBrowserReport({
  plan,
  provenance,
  browser,
  visits,
  contractVersion,
}: BrowserReportInput): BrowserReport {
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: "ssr-browser",
    workload: "todo",
    contractVersion,
    provenance,
    plan,
    browser,
    ...derivedFrom(plan, visits),
    visits: [...visits],
  };
}

/** Everything in a report that follows from the plan and the visits, and that can be recomputed from them. */
export type BrowserDerived = Pick<
  BrowserReport,
  "runtimeMode" | "responseMode" | "filtered" | "status" | "metricsStatus" | "warnings" | "rows"
>;

export function derivedFrom(plan: BrowserPlan, visits: readonly RightVisit[]): BrowserDerived {
  const rows = browserRowsOf(plan, visits);
  const warnings = skippedWarnings(plan, visits);
  return {
    runtimeMode: plan.runtimeMode,
    responseMode: plan.responseMode,
    filtered: plan.filtered,
    status: warnings.length === 0 ? "complete" : "partial",
    metricsStatus: rows.length === plan.adapters.length && rows.every(hasAllFigures) ? "ok" : "incomplete",
    warnings,
    rows,
  };
}

/** One for each product that has fewer visits than the plan gives it. */
function skippedWarnings(plan: BrowserPlan, visits: readonly RightVisit[]): Warning[] {
  return plan.adapters.flatMap((adapter) => {
    const made = visits.filter((visit) => visit.adapter === adapter).length;
    if (made === plan.rounds) return [];
    const message = `${plan.rounds - made} of ${plan.rounds} visits weren't made: the run was interrupted`;
    return [{ code: "skipped", cell: cellName({ adapter, responseMode: plan.responseMode }), message }];
  });
}

function hasAllFigures({ nullReasons }: BrowserRow): boolean {
  return Object.keys(nullReasons).every((path) => path === stepPath(UNTIMED_STEP));
}
