/** How far an official run came that died: what of it is whole, what has a journal, what has to begin anew. */
import { existsSync } from "node:fs";
import path from "node:path";
import { BROWSER_JOURNAL } from "../../browser/journal.ts";
import { BenchError } from "../../harness/errors.ts";
import { journalPath, readJournal } from "../../harness/journal.ts";
import { readIfPresent } from "../../harness/present.ts";
import { PROJECT_ROOT } from "../../harness/project.ts";
import { type AnyReport, verifyReport } from "../../report/any-report.ts";
import type { RunProvenance } from "../../report/schema.ts";
import { LOAD_JOURNAL } from "../../runner/journal.ts";
import type { MeasuringStep } from "./steps.ts";

/** `done`: its report is whole, and of this source. */
export type SoFar = "done" | "begun" | "nothing";

/**
 * Looks at what a measuring step has left.
 *
 * @param sourceDigest of the checkout as it is
 * @throws BenchError `resume-refused` where a run of another source was begun, `bad-report` where its journal can't be read
 */
export async function soFar(step: MeasuringStep, sourceDigest: string): Promise<SoFar> {
  const file = path.join(PROJECT_ROOT, step.report);
  if (existsSync(journalPath(file))) {
    assertSameSource(step, (await readHead(step, file)).provenance, sourceDigest);
    return "begun";
  }
  const text = await readIfPresent(file);
  if (text === null) return "nothing";
  const { report, problems } = verifyReport(text);
  return report !== null && problems.length === 0 && isWhole(report, step, sourceDigest) ? "done" : "nothing";
}

async function readHead(
  { reportKind }: MeasuringStep,
  file: string,
): Promise<{ readonly provenance: RunProvenance }> {
  return (
    await (reportKind === "ssr-load" ? readJournal(LOAD_JOURNAL, file) : readJournal(BROWSER_JOURNAL, file))
  ).head;
}

/** @throws BenchError `resume-refused` */
export function assertSameSource(
  { name, report }: MeasuringStep,
  begun: Pick<RunProvenance, "sourceDigest" | "gitRevision">,
  sourceDigest: string,
): void {
  if (begun.sourceDigest === sourceDigest) return;
  throw new BenchError({
    stage: "plan",
    code: "resume-refused",
    message: `the ${name} in ${report} was begun with another source (revision ${begun.gitRevision})`,
    hint: "Go back to that revision to go on, or begin anew: npm run bench:official",
  });
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
