/** Reports and summaries → what a page shows of them. Pure. */
import type { AnyReport } from "../any-report.ts";
import type { BrowserReport, BrowserRow } from "../browser/schema.ts";
import { differences } from "../differences.ts";
import { numberAt } from "../number-at.ts";
import { contenderOf, placesOf } from "../publication/places.ts";
import type { Summary, SummaryRow } from "../publication/schema.ts";
import type { Deviation, LoadReport, Machine, MeasuredRow, ResponseMode, Row, Warning } from "../schema.ts";
import { BROWSER_RULES, type Figure, LOAD_RULES } from "./figures.ts";

/** A file that the page is made of. */
export interface PageInput {
  /** Its name, without a folder: the page links to it. */
  readonly file: string;
  readonly content: AnyReport | Summary;
}

/** What one row of a table says. */
export interface Entry {
  readonly adapter: string;
  readonly displayName: string;
  readonly runtime: string;
  readonly runtimeVersion: string;
  readonly frameworkVersion: string;
  readonly place: number | null;
  readonly rankable: boolean;
  readonly reasons: readonly string[];
  /** By the figure's path. */
  readonly figures: Readonly<Record<string, Figure>>;
  readonly nullReasons: Readonly<Record<string, string>>;
  readonly deviations: readonly Deviation[];
}

export interface Failure {
  readonly adapter: string;
  readonly responseMode: ResponseMode;
  readonly stage: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** One table: the load rows of one mode, or the browser rows. */
export interface Section {
  readonly kind: "load" | "browser";
  readonly responseMode: ResponseMode;
  readonly rounds: number;
  readonly entries: readonly Entry[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly Warning[];
  readonly source: Source;
}

/** Where a section comes from. */
export interface Source {
  readonly file: string;
  readonly kind: "ssr-load" | "ssr-browser" | "ssr-summary";
  readonly runtimeMode: "official" | "quick";
  readonly filtered: boolean;
  readonly status: "complete" | "partial";
  readonly contractVersion: number;
  readonly sourceDigest: string;
  readonly gitRevision: string | null;
  readonly dirty: boolean | "unknown";
  readonly dependencyMode: string;
  readonly links: readonly { readonly name: string; readonly revision: string | null }[];
  readonly machine: Machine;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly command: string | null;
  readonly seed: number | null;
  readonly loadAverage: readonly number[] | null;
  readonly browser: string | null;
}

/** Sections whose figures may stand side by side: of one contract, machine, source and kind of run. */
export interface Group {
  readonly sections: readonly Section[];
  readonly source: Source;
}

export interface PageModel {
  readonly groups: readonly Group[];
}

/**
 * All inputs as sections, in groups that compare; a section of a summary is left out where a report has the same.
 * @throws TypeError of no input at all
 */
export function pageModel(inputs: readonly PageInput[]): PageModel {
  if (inputs.length === 0) throw new TypeError("a page is made of reports or summaries");
  const reports = inputs.flatMap((input) => (input.content.kind === "ssr-summary" ? [] : sectionsOf(input)));
  const summaries = inputs
    .flatMap((input) => (input.content.kind === "ssr-summary" ? sectionsOf(input) : []))
    .filter((one) => !reports.some((other) => isSame(one, other)));
  return { groups: grouped([...reports, ...summaries]) };
}

function isSame(one: Section, other: Section): boolean {
  return (
    one.kind === other.kind && one.responseMode === other.responseMode && compares(one.source, other.source)
  );
}

function grouped(sections: readonly Section[]): Group[] {
  const groups: { sections: Section[]; source: Source }[] = [];
  for (const section of sections) {
    const fitting = groups.find(
      ({ source, sections: others }) =>
        compares(source, section.source) &&
        !others.some(
          ({ kind, responseMode }) => kind === section.kind && responseMode === section.responseMode,
        ),
    );
    if (fitting === undefined) groups.push({ sections: [section], source: section.source });
    else fitting.sections.push(section);
  }
  return groups;
}

/** What has to be the same for figures to stand side by side. */
function compares(one: Source, other: Source): boolean {
  const facts = ({
    contractVersion,
    machine,
    sourceDigest,
    dependencyMode,
    runtimeMode,
    filtered,
  }: Source) => ({
    contractVersion,
    machine,
    sourceDigest,
    dependencyMode,
    runtimeMode,
    filtered,
  });
  return differences("", facts(one), facts(other)).length === 0;
}

function sectionsOf({ file, content }: PageInput): Section[] {
  switch (content.kind) {
    case "ssr-load":
      return loadSections(file, content);
    case "ssr-browser":
      return [browserSection(file, content)];
    case "ssr-summary":
      return summarySections(file, content);
  }
}

function loadSections(file: string, report: LoadReport): Section[] {
  const source = reportSource(file, report, null);
  return report.plan.responseModes.map((responseMode) => {
    const rows = report.rows.filter((row) => row.responseMode === responseMode);
    const places = placesIn(rows);
    return {
      kind: "load",
      responseMode,
      rounds: report.plan.rounds,
      entries: rows
        .flatMap((row) => (row.status === "measured" ? [loadEntry(row, report, places)] : []))
        .sort(byRate),
      failures: rows.flatMap(failureOf),
      warnings: report.warnings.filter(
        ({ cell }) =>
          cell === null || report.plan.responseModes.length === 1 || cell.endsWith(`/${responseMode}`),
      ),
      source,
    };
  });
}

function failureOf(row: Row): Failure[] {
  if (row.status === "measured") return [];
  const { adapter, responseMode, failure } = row;
  return [{ adapter, responseMode, ...failure }];
}

/** By the rule of summaries: of the rankable rows, where all of them have an interval. */
function placesIn(rows: readonly Row[]): ReadonlyMap<string, number> {
  const measured = rows.filter((row): row is MeasuredRow => row.status === "measured" && row.rankable);
  return placesOf(measured.map(contenderOf));
}

function loadEntry(row: MeasuredRow, { provenance }: LoadReport, places: ReadonlyMap<string, number>): Entry {
  const { adapter, runtime, runtimeVersion, frameworkVersion, rankable, reasons, deviations, nullReasons } =
    row;
  const figures = LOAD_RULES.map(({ path }) => {
    const { low = null, high = null, level = null } = row.spread[path] ?? {};
    return [path, { median: numberAt(row, path), low, high, level }] as const;
  });
  return {
    adapter,
    displayName: displayName(provenance.adapters, adapter),
    runtime,
    runtimeVersion,
    frameworkVersion,
    place: places.get(adapter) ?? null,
    rankable,
    reasons,
    figures: {
      ...Object.fromEntries(figures),
      errors: plain(row.errors),
      timeouts: plain(row.timeouts),
    },
    nullReasons,
    deviations,
  };
}

function plain(median: number): Figure {
  return { median, low: null, high: null, level: null };
}

function displayName(
  adapters: readonly { readonly adapter: string; readonly displayName: string }[],
  id: string,
): string {
  return adapters.find(({ adapter }) => adapter === id)?.displayName ?? id;
}

function browserSection(file: string, report: BrowserReport): Section {
  return {
    kind: "browser",
    responseMode: report.responseMode,
    rounds: report.plan.rounds,
    entries: report.rows.map((row) => browserEntry(row, report)).sort(byReady),
    failures: [],
    warnings: report.warnings,
    source: reportSource(
      file,
      report,
      `${report.browser.version} (${report.browser.display.kind} display: ${report.browser.display.description})`,
    ),
  };
}

function browserEntry(row: BrowserRow, { provenance }: BrowserReport): Entry {
  const { adapter, runtime, runtimeVersion, frameworkVersion, nullReasons, deviations } = row;
  const figures = BROWSER_RULES.map(({ path }) => [path, row[path as "readyMs"]] as const);
  return {
    adapter,
    displayName: displayName(provenance.adapters, adapter),
    runtime,
    runtimeVersion,
    frameworkVersion,
    place: null,
    rankable: true,
    reasons: [],
    figures: Object.fromEntries(figures),
    nullReasons,
    deviations,
  };
}

function summarySections(file: string, summary: Summary): Section[] {
  const { responseMode } = summary;
  const [load, browser] = [
    summary.inputs.find(({ kind }) => kind === "ssr-load"),
    summary.inputs.find(({ kind }) => kind === "ssr-browser"),
  ];
  const section = (kind: Section["kind"], input: (typeof summary.inputs)[number]): Section => ({
    kind,
    responseMode,
    rounds: input.rounds,
    entries: summary.rows.map((row) => summaryEntry(row, kind)).sort(kind === "load" ? byRate : byReady),
    failures: [],
    warnings: kind === "load" ? summary.warnings : [],
    source: summarySource(file, summary, input),
  });
  return [
    ...(load === undefined ? [] : [section("load", load)]),
    ...(browser === undefined ? [] : [section("browser", browser)]),
  ];
}

function summaryEntry(row: SummaryRow, kind: Section["kind"]): Entry {
  const { load, browser, nullReasons, ...entry } = row;
  const prefix = `${kind}.`;
  return {
    ...entry,
    figures: kind === "load" ? load : (browser ?? {}),
    nullReasons: Object.fromEntries(
      Object.entries(nullReasons).flatMap(([path, why]) =>
        path.startsWith(prefix) ? [[path.slice(prefix.length), why]] : [],
      ),
    ),
  };
}

function reportSource(file: string, report: AnyReport, browser: string | null): Source {
  const { kind, runtimeMode, filtered, status, contractVersion, provenance, plan } = report;
  const { sourceDigest, gitRevision, dirty, dependencyMode, links, machine, startedAt, endedAt } = provenance;
  return {
    file,
    kind,
    runtimeMode,
    filtered,
    status,
    contractVersion,
    sourceDigest,
    gitRevision,
    dirty,
    dependencyMode,
    links,
    machine,
    startedAt,
    endedAt,
    command: provenance.command.join(" "),
    seed: plan.seed,
    loadAverage: provenance.loadAverage,
    browser,
  };
}

/** A summary says of its reports what it was made of; that they were clean was a condition of making it. */
function summarySource(
  file: string,
  summary: Summary,
  { startedAt, endedAt }: Summary["inputs"][number],
): Source {
  const { runtimeMode, status, contractVersion, sourceDigest, gitRevision, dependencyMode, links, machine } =
    summary;
  return {
    file,
    kind: "ssr-summary",
    runtimeMode,
    filtered: false,
    status,
    contractVersion,
    sourceDigest,
    gitRevision,
    dirty: false,
    dependencyMode,
    links,
    machine,
    startedAt,
    endedAt,
    command: null,
    seed: null,
    loadAverage: null,
    browser: summary.browserVersion,
  };
}

function byRate(a: Entry, b: Entry): number {
  return value(b, "completedRps") - value(a, "completedRps") || (a.adapter < b.adapter ? -1 : 1);
}

function byReady(a: Entry, b: Entry): number {
  return value(a, "readyMs") - value(b, "readyMs") || (a.adapter < b.adapter ? -1 : 1);
}

function value({ figures }: Entry, path: string): number {
  return figures[path]?.median ?? 0;
}
