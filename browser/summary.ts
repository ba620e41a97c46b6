/** What a person reads when a browser run has ended well: the table, the warnings, where the report is. */
import { assertNever } from "../report/assert-never.ts";
import type { BrowserReport, BrowserStack } from "../report/browser/schema.ts";
import { formatBrowserRows } from "../report/browser/table.ts";

export interface BrowserSummaryOptions {
  readonly file: string;
  /** An earlier report of the same name, kept under this one. */
  readonly keptAside: string | null;
  /** Drawn with line characters for a terminal, in plain ASCII elsewhere. */
  readonly terminal: boolean;
}

/** Ends with a line break. */
export function summariseBrowserRun(
  report: BrowserReport,
  { file, keptAside, terminal }: BrowserSummaryOptions,
): string {
  const { rows, warnings, browser, visits, plan } = report;
  const left = plan.adapters.length * plan.rounds - visits.length;
  const lines = [
    "",
    formatBrowserRows(rows, { format: terminal ? "unicode" : "ascii" }),
    "",
    `Right visits: ${visits.length}, by ${describeStack(browser)}.`,
    ...(warnings.length === 0
      ? ["No warnings."]
      : [
          `Warnings (${warnings.length}):`,
          ...warnings.map(({ code, cell, message }) => `  ${code} (${cell ?? "the run"}): ${message}`),
        ]),
    ...(keptAside === null ? [] : [`The earlier report is kept: ${keptAside}`]),
    `Report: ${file}`,
    ...(left === 0
      ? []
      : [`${left} visits weren't made. Go on with: node todo/browser/cli.mjs --resume ${file}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Which browser, and where it shows its page. */
export function describeStack({ version, display }: BrowserStack): string {
  switch (display.kind) {
    case "present":
      return `${version} on the display ${display.description}`;
    case "virtual":
      return `${version} on a virtual display (${display.description})`;
    case "headless":
      return `${version}, headless`;
    default:
      return assertNever(display.kind);
  }
}
