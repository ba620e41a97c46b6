/** Plan, provenance and visits → the report. Pure: the same readings give the same report. */
import { controlOf } from "./control.ts";
import { rowsOf } from "./rows.ts";
import {
  type LoadReport,
  type Provenance,
  type Row,
  type RunPlan,
  SCHEMA_VERSION,
  type Visit,
  type Warning,
} from "./schema.ts";
import { warningsOf } from "./verdicts.ts";

export interface LoadReportInput {
  readonly plan: RunPlan;
  readonly provenance: Provenance;
  /** In the order in which they were made. */
  readonly visits: readonly Visit[];
  readonly contractVersion: number;
}

/** The report of a run, whole or not: every cell of the plan has its row. */
export function buildLoadReport({ plan, provenance, visits, contractVersion }: LoadReportInput): LoadReport {
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: "ssr-load",
    workload: "todo",
    contractVersion,
    provenance,
    plan,
    ...derivedFrom(plan, visits),
    visits: [...visits],
  };
}

/** Everything in a report that follows from the plan and the visits, and that can be recomputed from them. */
export type Derived = Pick<
  LoadReport,
  "runtimeMode" | "responseMode" | "filtered" | "status" | "metricsStatus" | "warnings" | "rows" | "control"
>;

/** @param visits in the order in which they were made */
export function derivedFrom(plan: RunPlan, visits: readonly Visit[]): Derived {
  const rows = rowsOf(plan, visits);
  const warnings = warningsOf(plan, visits);
  return {
    runtimeMode: plan.runtimeMode,
    responseMode: responseModeOf(plan),
    filtered: plan.filtered,
    status: statusOf(rows, warnings, plan),
    metricsStatus: rows.every(hasAllFigures) ? "ok" : "incomplete",
    warnings,
    rows,
    control: controlOf(plan, visits),
  };
}

function responseModeOf(plan: RunPlan): LoadReport["responseMode"] {
  const [only, ...others] = new Set(plan.responseModes);
  return only !== undefined && others.length === 0 ? only : "both";
}

function statusOf(rows: readonly Row[], warnings: readonly Warning[], plan: RunPlan): LoadReport["status"] {
  const whole = rows.every((row) => row.status === "measured" && row.attempts === plan.rounds);
  return whole && warnings.length === 0 ? "complete" : "partial";
}

function hasAllFigures(row: Row): boolean {
  return row.status === "measured" && Object.keys(row.nullReasons).length === 0;
}
