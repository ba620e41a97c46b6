/** What a publication is made of: which reports, under which names, and which summary each of them goes into. */
import type { VerifiedReport } from "../any-report.ts";
import type { BrowserReport } from "../browser/schema.ts";
import type { LoadReport, ResponseMode } from "../schema.ts";

/** A file that a publication needs, as it was found. */
export interface FoundInput {
  readonly name: InputName;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  readonly verified: VerifiedReport;
}

interface InputRule {
  readonly kind: "ssr-load" | "ssr-browser";
  readonly responseMode: ResponseMode;
  /** What makes it. */
  readonly command: string;
}

/** Every input by its file name. */
export const INPUTS = {
  "ssr-todo-official.json": {
    kind: "ssr-load",
    responseMode: "progressive",
    command:
      "node todo/runner/cli.mjs --runtime-mode official --response-mode progressive --save-baseline official",
  },
  "ssr-todo-official-complete.json": {
    kind: "ssr-load",
    responseMode: "complete",
    command:
      "node todo/runner/cli.mjs --runtime-mode official --response-mode complete --save-baseline official-complete",
  },
  "ssr-todo-browser-outcomes-official.json": {
    kind: "ssr-browser",
    responseMode: "progressive",
    command: "node todo/browser/cli.mjs --official",
  },
} as const satisfies Readonly<Record<string, InputRule>>;

export type InputName = keyof typeof INPUTS;
export const INPUT_NAMES = Object.keys(INPUTS) as InputName[];

/** Every summary by its file name, with the inputs that it needs. */
export const SUMMARIES = {
  "benchmark-summary.json": {
    load: "ssr-todo-official.json",
    browser: "ssr-todo-browser-outcomes-official.json",
  },
  "benchmark-summary-complete.json": { load: "ssr-todo-official-complete.json", browser: null },
} as const satisfies Readonly<
  Record<string, { readonly load: InputName; readonly browser: InputName | null }>
>;

export type SummaryName = keyof typeof SUMMARIES;
export const SUMMARY_NAMES = Object.keys(SUMMARIES) as SummaryName[];

/** The inputs that a summary needs. */
export function inputsOf(name: SummaryName): InputName[] {
  const { load, browser } = SUMMARIES[name];
  return browser === null ? [load] : [load, browser];
}

/** A report that may go into a summary, with where it was read. */
export interface SummaryInputs {
  readonly load: { readonly file: string; readonly sha256: string; readonly report: LoadReport };
  readonly browser: { readonly file: string; readonly sha256: string; readonly report: BrowserReport } | null;
}
