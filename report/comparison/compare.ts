/** Two reports, A before and B after: row by row what has changed, or why that can't be said. Pure. */
import type { AnyReport } from "../any-report.ts";
import { browserFiguresOf } from "../browser/figures.ts";
import type { BrowserReport } from "../browser/schema.ts";
import { differences } from "../differences.ts";
import { type Figures, figuresOf } from "../figures.ts";
import type { LoadReport, ResponseMode } from "../schema.ts";
import { median } from "../statistics.ts";
import { independentRatio } from "./ratio.ts";
import type { ComparedFigure, ComparedRow, Comparison } from "./schema.ts";

export interface Side {
  /** As a person named the file. */
  readonly name: string;
  /** Verified. */
  readonly report: AnyReport;
}

/** What is compared of a load row, and of a browser row. */
const LOAD_PATHS = [
  "completedRps",
  "latencyMs.p50",
  "latencyMs.p95",
  "latencyMs.p99",
  "firstByteMs.p50",
  "peakRssMiB",
  "cpuUsPerResponse",
];
const BROWSER_PATHS = [
  "readyMs",
  "interactionMs",
  "navigationMs",
  "fcpMs",
  "lcpMs",
  "jsTransferBytes",
  "jsHeapReadyBytes",
];

/** Rows of both reports, B against A. */
export function compare(a: Side, b: Side): Comparison {
  const names = { a: a.name, b: b.name };
  const reasons = reasonsAgainst(a.report, b.report);
  if (reasons.length > 0) return { status: "not-comparable", ...names, reasons };
  const rows = rowsOf(a.report);
  const others = rowsOf(b.report);
  const keys = [...new Set([...rows.keys(), ...others.keys()])].sort();
  return {
    status: "compared",
    ...names,
    rounds: { a: a.report.plan.rounds, b: b.report.plan.rounds },
    changed: changedBetween(a.report, b.report),
    rows: keys.map((key) => compareRows(key, rows.get(key), others.get(key))),
  };
}

/** What has to be the same in both for any figure to compare, each by the words that a person reads. */
function reasonsAgainst(a: AnyReport, b: AnyReport): string[] {
  const facts = (report: AnyReport): Readonly<Record<string, unknown>> => ({
    kind: report.kind,
    "contract version": report.contractVersion,
    "runtime mode": report.runtimeMode,
    machine: report.provenance.machine,
    plan: conditionsOf(report),
  });
  const [one, other] = [facts(a), facts(b)];
  return Object.keys(one).flatMap((what) =>
    differences(what, one[what], other[what]).map(
      ({ rule, expected, seen }) => `${rule}: ${expected} in A, ${seen} in B`,
    ),
  );
}

/** All of a plan that a figure depends on: not which cells, how often, and in what order. */
function conditionsOf({ plan }: AnyReport): Readonly<Record<string, unknown>> {
  const { adapters: _adapters, filtered: _filtered, rounds: _rounds, seed: _seed, ...conditions } = plan;
  if (!("responseModes" in conditions)) return conditions;
  const { responseModes: _modes, ...others } = conditions;
  return others;
}

/** What is meant to differ: the source, and what was installed. */
function changedBetween(a: AnyReport, b: AnyReport): string[] {
  const facts = ({ provenance }: AnyReport): Readonly<Record<string, unknown>> => ({
    revision: provenance.gitRevision,
    "source digest": provenance.sourceDigest,
    dirty: provenance.dirty,
    dependencies: provenance.dependencyMode,
    links: Object.fromEntries(
      provenance.links.map(({ name, revision, dirty }) => [name, { revision, dirty }]),
    ),
    versions: Object.fromEntries(
      provenance.adapters.map(({ adapter, frameworkVersion }) => [adapter, frameworkVersion]),
    ),
  });
  const [one, other] = [facts(a), facts(b)];
  return Object.keys(one).flatMap((what) =>
    differences(what, one[what], other[what]).map(
      ({ rule, expected, seen }) => `${rule}: ${expected} → ${seen}`,
    ),
  );
}

/** A row as it is compared. */
interface Comparable {
  readonly adapter: string;
  readonly responseMode: ResponseMode;
  readonly runtime: string;
  /** Why its figures are no ground for a comparison; null where they are. */
  readonly doubt: string | null;
  readonly paths: readonly string[];
  /** Of each round. */
  readonly rounds: readonly Figures[];
}

function rowsOf(report: AnyReport): ReadonlyMap<string, Comparable> {
  const rows = report.kind === "ssr-load" ? loadRows(report) : browserRows(report);
  return new Map(rows.map((row) => [`${row.adapter}/${row.responseMode}`, row]));
}

function loadRows({ rows, visits }: LoadReport): Comparable[] {
  return rows.map((row) => {
    const { adapter, responseMode } = row;
    const measured = visits.flatMap((visit) =>
      visit.status === "measured" &&
      visit.telemetry &&
      visit.adapter === adapter &&
      visit.responseMode === responseMode
        ? [figuresOf(visit)]
        : [],
    );
    const doubt =
      row.status === "failed"
        ? `failed in ${row.failure.stage} (${row.failure.code})`
        : row.rankable
          ? null
          : `not rankable: ${row.reasons.join(", ")}`;
    const runtime = row.status === "failed" ? "" : `${row.runtime} ${row.runtimeVersion}`;
    return { adapter, responseMode, runtime, doubt, paths: LOAD_PATHS, rounds: measured };
  });
}

function browserRows({ rows, visits, responseMode }: BrowserReport): Comparable[] {
  return rows.map(({ adapter, runtime, runtimeVersion }) => ({
    adapter,
    responseMode,
    runtime: `${runtime} ${runtimeVersion}`,
    doubt: null,
    paths: BROWSER_PATHS,
    rounds: visits.filter((visit) => visit.adapter === adapter).map(browserFiguresOf),
  }));
}

function compareRows(key: string, a: Comparable | undefined, b: Comparable | undefined): ComparedRow {
  const [adapter = "", mode] = key.split("/");
  const cell = { adapter, responseMode: mode as ResponseMode };
  const reason = reasonAgainstRow(a, b);
  if (reason !== null || a === undefined || b === undefined) {
    return { status: "not-comparable", ...cell, reason: reason ?? "" };
  }
  return {
    status: "compared",
    ...cell,
    figures: a.paths.flatMap((path) => compareFigure(path, a.rounds, b.rounds)),
  };
}

function reasonAgainstRow(a: Comparable | undefined, b: Comparable | undefined): string | null {
  if (a === undefined) return "not in A";
  if (b === undefined) return "not in B";
  if (a.doubt !== null) return `A ${a.doubt}`;
  if (b.doubt !== null) return `B ${b.doubt}`;
  return a.runtime === b.runtime ? null : `${a.runtime} in A, ${b.runtime} in B`;
}

/** Nothing where a round of either has no such figure. */
function compareFigure(path: string, a: readonly Figures[], b: readonly Figures[]): ComparedFigure[] {
  const [one, other] = [numbersAt(path, a), numbersAt(path, b)];
  if (one === null || other === null) return [];
  const medians = { path, a: median(one), b: median(other) };
  if ([...one, ...other].some((value) => value <= 0)) {
    return [{ ...medians, ratio: null, low: null, high: null, level: null, word: null }];
  }
  const { ratio, interval } = independentRatio(one, other);
  return [
    {
      ...medians,
      ratio,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      level: interval?.level ?? null,
      word: interval === null ? null : wordOf(interval),
    },
  ];
}

function numbersAt(path: string, rounds: readonly Figures[]): number[] | null {
  const numbers = rounds.flatMap((figures) => {
    const figure = figures.get(path);
    return typeof figure === "number" ? [figure] : [];
  });
  return numbers.length === rounds.length && numbers.length > 0 ? numbers : null;
}

function wordOf({
  low,
  high,
}: {
  readonly low: number;
  readonly high: number;
}): NonNullable<ComparedFigure["word"]> {
  if (low > 1) return "higher";
  return high < 1 ? "lower" : "no difference shown";
}
