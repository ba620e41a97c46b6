/** A report of whichever kind: read by what it says it is, and held against its own readings. */
import { checkBrowserReport } from "./browser/read.ts";
import type { BrowserReport } from "./browser/schema.ts";
import { verifyBrowserReport } from "./browser/verify.ts";
import { checkLoadReport } from "./read.ts";
import { parseJson, type ReadReport, strangeKind } from "./reader.ts";
import type { LoadReport, Problem } from "./schema.ts";
import { verifyLoadReport } from "./verify.ts";

export type AnyReport = LoadReport | BrowserReport;

/** A file's text, read and verified. */
export interface VerifiedReport {
  /** Null where the text holds no report that can be read. */
  readonly report: AnyReport | null;
  /** Everything that is wrong with it; empty where nothing is. */
  readonly problems: readonly Problem[];
}

const KINDS: Readonly<Record<AnyReport["kind"], (json: unknown) => VerifiedReport>> = {
  "ssr-load": (json) => verified(checkLoadReport(json), verifyLoadReport),
  "ssr-browser": (json) => verified(checkBrowserReport(json), verifyBrowserReport),
};

/** Reads a report of any kind and holds it against its own readings. Pure; throws nothing. */
export function verifyReport(text: string): VerifiedReport {
  const parsed = parseJson(text);
  if (!parsed.ok) return { report: null, problems: [parsed.problem] };
  const stranger = strangeKind(parsed.json, Object.keys(KINDS));
  if (stranger !== null) return { report: null, problems: [stranger] };
  const { kind } = parsed.json as Pick<AnyReport, "kind">;
  return KINDS[kind](parsed.json);
}

function verified<Report extends AnyReport>(
  read: ReadReport<Report>,
  verify: (report: Report) => Problem[],
): VerifiedReport {
  if (!read.ok) return { report: null, problems: read.problems };
  return { report: read.report, problems: verify(read.report) };
}
