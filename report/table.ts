/** Rows → the table that a person reads. Rounding belongs here and nowhere before. */
import { assertNever } from "./assert-never.ts";
import { drawTable, type TableColumn, type TableLine, type TableOptions } from "./draw-table.ts";
import { type FailedRow, type MeasuredRow, type Row, responseModeSchema, type Spread } from "./schema.ts";

interface Column extends TableColumn {
  readonly cell: (row: MeasuredRow) => string;
}

const COLUMNS: readonly Column[] = [
  { heading: "adapter", align: "left", cell: (row) => row.adapter },
  { heading: "mode", align: "left", cell: (row) => row.responseMode },
  { heading: "RPS", align: "right", cell: (row) => figure(row, "completedRps", row.completedRps, 0) },
  { heading: "P50 ms", align: "right", cell: (row) => figure(row, "latencyMs.p50", row.latencyMs.p50, 1) },
  { heading: "P95 ms", align: "right", cell: (row) => figure(row, "latencyMs.p95", row.latencyMs.p95, 1) },
  { heading: "P99 ms", align: "right", cell: (row) => figure(row, "latencyMs.p99", row.latencyMs.p99, 1) },
  {
    heading: "first byte P50 ms",
    align: "right",
    cell: (row) => figure(row, "firstByteMs.p50", row.firstByteMs.p50, 1),
  },
  { heading: "peak RSS MiB", align: "right", cell: (row) => figure(row, "peakRssMiB", row.peakRssMiB, 0) },
  {
    heading: "CPU µs/response",
    align: "right",
    cell: (row) => figure(row, "cpuUsPerResponse", row.cpuUsPerResponse, 0),
  },
  {
    heading: "errors/timeouts",
    align: "right",
    cell: (row) => `${round(row.errors, 0)}/${round(row.timeouts, 0)}`,
  },
  { heading: "verdict", align: "left", cell: verdict },
];

/**
 * The rows by mode, and within a mode by completed RPS from the most; failed rows come last, with their reason. The
 * order is no ranking: a row that isn't rankable says so in its verdict. From 6 rounds on a figure carries its
 * interval.
 */
export function formatRows(rows: readonly Row[], options: TableOptions): string {
  return drawTable(COLUMNS, sortRows(rows).map(line), options);
}

function line(row: Row): TableLine {
  switch (row.status) {
    case "measured":
      return { kind: "figures", cells: COLUMNS.map((column) => column.cell(row)) };
    case "failed":
      return { kind: "failure", cells: [row.adapter, row.responseMode], reason: failureText(row) };
    default:
      return assertNever(row);
  }
}

function failureText({ failure, measuredRounds }: FailedRow): string {
  const [summary = ""] = failure.message.split("\n");
  const measured = measuredRounds === 0 ? "" : ` (${measuredRounds} rounds were measured all the same)`;
  return `failed in ${failure.stage}, ${failure.code}: ${summary}${measured}`;
}

const MODES = responseModeSchema.options;

/** The rows in the order of the table. */
export function sortRows(rows: readonly Row[]): Row[] {
  const rps = (row: Row) => (row.status === "measured" ? row.completedRps : Number.NEGATIVE_INFINITY);
  return [...rows].sort(
    (a, b) =>
      MODES.indexOf(a.responseMode) - MODES.indexOf(b.responseMode) ||
      (rps(a) === rps(b) ? 0 : rps(b) - rps(a)) ||
      compareText(a.adapter, b.adapter),
  );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function verdict(row: MeasuredRow): string {
  return row.rankable ? "rankable" : `not rankable: ${row.reasons.join(", ")}`;
}

function figure(row: MeasuredRow, path: string, value: number | null, digits: number): string {
  if (value === null) return "null";
  const spread: Spread | undefined = row.spread[path];
  if (spread === undefined || spread.level === null) return round(value, digits);
  return `${round(value, digits)} [${round(spread.low, digits)}, ${round(spread.high, digits)}]`;
}

function round(value: number, digits: number): string {
  return value.toFixed(digits);
}
