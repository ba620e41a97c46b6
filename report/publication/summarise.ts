/** Verified reports → the summary that is published. Pure: the same reports give the same bytes. */
import type { BrowserFigure, BrowserReport, BrowserRow } from "../browser/schema.ts";
import { numberAt } from "../number-at.ts";
import {
  type AdapterProvenance,
  type LoadReport,
  type MeasuredRow,
  type RunProvenance,
  SCHEMA_VERSION,
} from "../schema.ts";
import type { SummaryInputs } from "./inputs.ts";
import { contenderOf, placesOf } from "./places.ts";
import {
  SUMMARY_BROWSER_FIGURES,
  SUMMARY_LOAD_FIGURES,
  type Summary,
  type SummaryBrowserFigure,
  type SummaryFigure,
  type SummaryInput,
  type SummaryLoadFigure,
  type SummaryRow,
} from "./schema.ts";

/**
 * The summary of reports that nothing keeps from being published.
 * @throws TypeError where something would: a failed row, both modes in one report, a product without a browser row
 */
export function summarise({ load, browser }: SummaryInputs): Summary {
  const { contractVersion, responseMode, provenance } = load.report;
  if (responseMode === "both") throw new TypeError("a published report is of one mode");
  const reports = [load.report, ...(browser === null ? [] : [browser.report])];
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: "ssr-summary",
    workload: "todo",
    contractVersion,
    runtimeMode: "official",
    responseMode,
    status: reports.every(({ status }) => status === "complete") ? "complete" : "partial",
    metricsStatus: reports.every(({ metricsStatus }) => metricsStatus === "ok") ? "ok" : "incomplete",
    inputs: [load, ...(browser === null ? [] : [browser])].map(inputOf),
    sourceDigest: provenance.sourceDigest,
    gitRevision: provenance.gitRevision ?? "",
    dependencyMode: provenance.dependencyMode,
    links: provenance.links,
    machine: provenance.machine,
    browserVersion: browser?.report.browser.version ?? null,
    warnings: reports.flatMap(({ warnings }) => warnings),
    rows: rowsOf(load.report, browser?.report ?? null),
  };
}

/** The text of a summary's file. */
export function summaryText(summary: Summary): string {
  return `${JSON.stringify(summary, null, 2)}\n`;
}

interface Input {
  readonly file: string;
  readonly sha256: string;
  readonly report: LoadReport | BrowserReport;
}

function inputOf({ file, sha256, report }: Input): SummaryInput {
  const { startedAt, endedAt } = report.provenance;
  return { file, kind: report.kind, sha256, rounds: report.plan.rounds, startedAt, endedAt };
}

function rowsOf(load: LoadReport, browser: BrowserReport | null): SummaryRow[] {
  const measured = load.rows.map((row) => {
    if (row.status === "failed") throw new TypeError(`${row.adapter} has a failed row`);
    return row;
  });
  const places = placesOf(measured.filter(({ rankable }) => rankable).map(contenderOf));
  return measured
    .map((row) =>
      rowOf(row, entryOf(load.provenance, row.adapter), browserRowOf(browser, row.adapter), places),
    )
    .sort(byRate);
}

function entryOf(provenance: RunProvenance, adapter: string): AdapterProvenance {
  const entry = provenance.adapters.find((one) => one.adapter === adapter);
  if (entry === undefined) throw new TypeError(`${adapter} isn't in the provenance`);
  return entry;
}

function browserRowOf(browser: BrowserReport | null, adapter: string): BrowserRow | null {
  if (browser === null) return null;
  const row = browser.rows.find((one) => one.adapter === adapter);
  if (row === undefined) throw new TypeError(`${adapter} has no browser row`);
  return row;
}

function rowOf(
  row: MeasuredRow,
  { displayName }: AdapterProvenance,
  browser: BrowserRow | null,
  places: ReadonlyMap<string, number>,
): SummaryRow {
  const { adapter, runtime, runtimeVersion, frameworkVersion, rankable, reasons, deviations } = row;
  return {
    adapter,
    displayName,
    runtime,
    runtimeVersion,
    frameworkVersion,
    place: places.get(adapter) ?? null,
    rankable,
    reasons,
    load: figures(SUMMARY_LOAD_FIGURES, (path) => loadFigure(row, path)),
    browser:
      browser === null ? null : figures(SUMMARY_BROWSER_FIGURES, (path) => browserFigure(browser, path)),
    deviations,
    nullReasons: {
      ...reasonsOf("load", SUMMARY_LOAD_FIGURES, row.nullReasons),
      ...reasonsOf("browser", SUMMARY_BROWSER_FIGURES, browser?.nullReasons ?? {}),
    },
  };
}

function figures<Path extends string>(
  paths: readonly Path[],
  figure: (path: Path) => SummaryFigure,
): Record<Path, SummaryFigure> {
  return Object.fromEntries(paths.map((path) => [path, figure(path)])) as Record<Path, SummaryFigure>;
}

function loadFigure(row: MeasuredRow, path: SummaryLoadFigure): SummaryFigure {
  const { low = null, high = null, level = null } = row.spread[path] ?? {};
  return { median: numberAt(row, path), low, high, level };
}

function browserFigure(row: BrowserRow, path: SummaryBrowserFigure): SummaryFigure {
  const { median, low, high, level }: BrowserFigure = row[path];
  return { median, low, high, level };
}

function reasonsOf(
  part: "load" | "browser",
  paths: readonly string[],
  reasons: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    paths.flatMap((path) => (reasons[path] === undefined ? [] : [[`${part}.${path}`, reasons[path]]])),
  );
}

function byRate(a: SummaryRow, b: SummaryRow): number {
  const rate = ({ load }: SummaryRow): number => load.completedRps.median ?? 0;
  return rate(b) - rate(a) || (a.adapter < b.adapter ? -1 : 1);
}
