/**
 * A whole publication, for somebody who has downloaded its files: each report against its own readings, and each summary
 * against the reports that it says it was made of. Pure.
 */
import { differences } from "../differences.ts";
import type { Problem } from "../schema.ts";
import { blockersOf } from "./blockers.ts";
import { type FoundInput, inputsOf, type SummaryName } from "./inputs.ts";
import { summaryInputs } from "./publish.ts";
import { readSummary } from "./read.ts";
import { summarise, summaryText } from "./summarise.ts";

export interface FoundSummary {
  readonly name: SummaryName;
  readonly text: string;
}

/** What is wrong with one file of a publication. */
export interface FileProblem extends Problem {
  readonly file: string;
}

/**
 * Everything that is wrong with a publication; empty where nothing is. Which checkout published it can't be asked for
 * here: source digest, contract version and adapters are held to be the same in all reports.
 */
export function verifyPublication(
  found: readonly FoundInput[],
  summaries: readonly FoundSummary[],
): FileProblem[] {
  const [first] = found.flatMap(({ verified: { report } }) => (report === null ? [] : [report]));
  const publisher = {
    sourceDigest: first?.provenance.sourceDigest ?? "",
    contractVersion: first?.contractVersion ?? 0,
    adapters: first?.plan.adapters ?? [],
  };
  const blocked = blockersOf(found, publisher).map(({ code, file, message }) => ({
    file,
    rule: code,
    expected: "what may be published",
    seen: message,
  }));
  return [
    ...blocked,
    ...summaries.flatMap((summary) => checkSummaryFile(summary, found, blocked.length > 0)),
  ];
}

function checkSummaryFile(
  { name, text }: FoundSummary,
  found: readonly FoundInput[],
  blocked: boolean,
): FileProblem[] {
  const here = (problems: readonly Problem[]): FileProblem[] =>
    problems.map((one) => ({ file: name, ...one }));
  const read = readSummary(text);
  if (!read.ok) return here(read.problems);
  const absent = inputsOf(name).filter((input) => !found.some((one) => one.name === input));
  if (absent.length > 0) {
    return here([
      { rule: "inputs", expected: "the reports that it was made of", seen: `without ${absent.join(", ")}` },
    ]);
  }
  // Reports that may not be published have no summary that could be recomputed.
  if (blocked) return [];
  const expected = summarise(summaryInputs(found, name));
  const differing = here(differences("", expected, read.report).map(withoutDot));
  const sameText = text === summaryText(expected);
  if (differing.length > 0 || sameText) return differing;
  return here([
    { rule: "bytes", expected: "the bytes that the exporter writes", seen: "the same values in other bytes" },
  ]);
}

function withoutDot(problem: Problem): Problem {
  return { ...problem, rule: problem.rule.replace(/^\./, "") };
}
