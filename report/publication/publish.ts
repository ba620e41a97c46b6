/** Reports as they were found → the summaries that may be written, or everything that blocks them. Pure. */
import type { BrowserReport } from "../browser/schema.ts";
import type { LoadReport } from "../schema.ts";
import { type Blocker, blockersOf, missingReport, type Publisher } from "./blockers.ts";
import {
  type FoundInput,
  type InputName,
  inputsOf,
  SUMMARIES,
  SUMMARY_NAMES,
  type SummaryInputs,
  type SummaryName,
} from "./inputs.ts";
import { summarise, summaryText } from "./summarise.ts";

/** What becomes of one summary. */
export type Publication =
  | { readonly status: "published"; readonly name: SummaryName; readonly text: string }
  | { readonly status: "blocked"; readonly name: SummaryName; readonly blockers: readonly Blocker[] };

/**
 * Each summary's publication. A report that is there and wrong blocks all of them, also those that it doesn't go into:
 * what stands side by side is published together. One that is missing blocks only the summary that needs it.
 */
export function publish(found: readonly FoundInput[], publisher: Publisher): Publication[] {
  const wrong = blockersOf(found, publisher);
  return SUMMARY_NAMES.map((name): Publication => {
    const missing = inputsOf(name).filter((input) => find(found, input) === undefined);
    const blockers = [...missing.map(missingReport), ...wrong];
    if (blockers.length > 0) return { status: "blocked", name, blockers };
    return { status: "published", name, text: summaryText(summarise(summaryInputs(found, name))) };
  });
}

function find(found: readonly FoundInput[], name: InputName): FoundInput | undefined {
  return found.find((one) => one.name === name);
}

/** The reports of a summary, which are there. @throws TypeError where one isn't, or isn't of its kind */
export function summaryInputs(found: readonly FoundInput[], name: SummaryName): SummaryInputs {
  const { load, browser } = SUMMARIES[name];
  return {
    load: inputOf(found, load, (report): report is LoadReport => report.kind === "ssr-load"),
    browser:
      browser === null
        ? null
        : inputOf(found, browser, (report): report is BrowserReport => report.kind === "ssr-browser"),
  };
}

function inputOf<Report extends LoadReport | BrowserReport>(
  found: readonly FoundInput[],
  name: InputName,
  isOfKind: (report: LoadReport | BrowserReport) => report is Report,
): { file: string; sha256: string; report: Report } {
  const input = find(found, name);
  const report = input?.verified.report ?? null;
  if (input === undefined || report === null || !isOfKind(report))
    throw new TypeError(`${name} can't be summarised`);
  return { file: name, sha256: input.sha256, report };
}
