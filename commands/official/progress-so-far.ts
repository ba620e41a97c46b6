/** How far an official run came that died: what of it is whole, what has a journal, what has to begin anew. */
import { existsSync } from "node:fs";
import path from "node:path";
import { journalPath } from "../../harness/journal.ts";
import { readIfPresent } from "../../harness/present.ts";
import { PROJECT_ROOT } from "../../harness/project.ts";
import { type AnyReport, verifyReport } from "../../report/any-report.ts";
import type { MeasuringStep } from "./steps.ts";

/** `done`: its report is whole, and of this source. */
export type SoFar = "done" | "begun" | "nothing";

/** Looks at what a measuring step has left. @param sourceDigest of the checkout as it is */
export async function soFar(step: MeasuringStep, sourceDigest: string): Promise<SoFar> {
  const file = path.join(PROJECT_ROOT, step.report);
  if (existsSync(journalPath(file))) return "begun";
  const text = await readIfPresent(file);
  if (text === null) return "nothing";
  const { report, problems } = verifyReport(text);
  return report !== null && problems.length === 0 && isWhole(report, step, sourceDigest) ? "done" : "nothing";
}

/**
 * Whether a report that holds can stand for the step: official, all of it, of this source, and without a failed row
 * or one that blocks publication. One that can't is kept aside by the run that takes its place.
 */
export function isWhole(report: AnyReport, step: MeasuringStep, sourceDigest: string): boolean {
  const { kind, runtimeMode, filtered, plan, provenance } = report;
  return (
    kind === step.reportKind &&
    runtimeMode === "official" &&
    !filtered &&
    plan.rounds === step.rounds &&
    provenance.sourceDigest === sourceDigest &&
    (kind !== "ssr-load" || report.rows.every(isPublishable))
  );
}

function isPublishable(row: Extract<AnyReport, { kind: "ssr-load" }>["rows"][number]): boolean {
  if (row.status === "failed") return false;
  return !row.reasons.includes("invalid") && !row.reasons.includes("inconsistent");
}
