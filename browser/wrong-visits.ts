/** What went wrong in a run, in words: every check and visit that wasn't right, with its diff and where its evidence is. */
import { stripVTControlCharacters } from "node:util";
import { BenchError } from "../harness/errors.ts";
import { journalPath } from "../harness/journal.ts";
import { assertNever } from "../report/assert-never.ts";
import type { BrowserFailure, BrowserVisit, ReadyCheck } from "../report/browser/schema.ts";
import type { Problem } from "../report/schema.ts";

/** A visit's outcome in a few lines: the first says which and how, the others what differed. */
export function describeBrowserVisit(visit: BrowserVisit): string[] {
  const name = `${visit.adapter} round ${visit.round}`;
  switch (visit.status) {
    case "right":
      return [
        `${name}: right, ready after ${visit.metrics.readyMs?.toFixed(0) ?? "an unknown number of"} ms`,
      ];
    case "wrong": {
      const steps = visit.steps.filter(({ problems }) => problems.length > 0);
      return [
        `${name}: wrong${keptText(visit.keptIn)}`,
        ...steps.flatMap(({ n, problems }) =>
          problems.map((problem) => `step ${n}, ${problemText(problem)}`),
        ),
        ...visit.problems.map(problemText),
      ];
    }
    case "failed":
      return [`${name}: ${failureText(visit.failure)}${keptText(visit.keptIn)}`, visit.failure.hint];
    default:
      return assertNever(visit);
  }
}

/** The same of a ready check. */
export function describeReadyCheck(check: ReadyCheck): string[] {
  const name = `${check.adapter}, ready check`;
  switch (check.status) {
    case "right":
      return [`${name}: right`];
    case "wrong":
      return [`${name}: wrong${keptText(check.keptIn)}`, ...check.problems.map(problemText)];
    case "failed":
      return [`${name}: ${failureText(check.failure)}${keptText(check.keptIn)}`, check.failure.hint];
    default:
      return assertNever(check);
  }
}

function problemText({ rule, expected, seen }: Problem): string {
  return `${rule}: expected ${expected}; seen ${seen}`;
}

/** Of a long message, as of a browser that prints its command line, the journal has the rest. */
function failureText({ stage, code, message }: BrowserFailure): string {
  const [first = ""] = stripVTControlCharacters(message).split("\n");
  return `failed at ${stage} (${code}): ${first}`;
}

function keptText(keptIn: string | null): string {
  return keptIn === null ? "" : `, kept in ${keptIn}`;
}

/**
 * Passes where everything was right.
 * @throws BenchError `wrong-visits` that lists all that wasn't
 */
export function assertAllRight(
  checks: readonly ReadyCheck[],
  visits: readonly BrowserVisit[],
  file: string,
): void {
  const wrong = [
    ...checks.filter(({ status }) => status !== "right").map(describeReadyCheck),
    ...visits.filter(({ status }) => status !== "right").map(describeBrowserVisit),
  ];
  if (wrong.length === 0) return;
  const lines = wrong.map((one) => `  ${one.join("\n    ")}`);
  throw new BenchError({
    stage: "report",
    code: "wrong-visits",
    message: `${wrong.length} of ${checks.length + visits.length} visits weren't right, so there is no report:\n${lines.join("\n")}`,
    hint: `Mend what is wrong and begin the run anew. Every visit of this one is in ${journalPath(file)}`,
  });
}
