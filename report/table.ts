/** Rows → the table that a person reads. Rounding belongs here and nowhere before. */
import Table from "cli-table3";
import { assertNever } from "./assert-never.ts";
import { type FailedRow, type MeasuredRow, type Row, responseModeSchema, type Spread } from "./schema.ts";

export interface TableOptions {
  /** `ascii` and `unicode` for a terminal or a log, `markdown` for a document. */
  readonly format: "ascii" | "unicode" | "markdown";
}

interface Column {
  readonly heading: string;
  readonly align: "left" | "right";
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

/** Where a failed row's figures would begin. */
const NAMING_COLUMNS = 2;

/**
 * The rows by mode, and within a mode by completed RPS from the most; failed rows come last, with their reason. The
 * order is no ranking: a row that isn't rankable says so in its verdict. From 6 rounds on a figure carries its
 * interval.
 */
export function formatRows(rows: readonly Row[], { format }: TableOptions): string {
  const lines = sortRows(rows).map(line);
  switch (format) {
    case "markdown":
      return markdown(lines);
    case "ascii":
      return toAscii(drawn(lines, ASCII_LINES));
    case "unicode":
      return drawn(lines, {});
    default:
      return assertNever(format);
  }
}

/** One row of text: a cell for each column, or the naming ones and what failed. */
type Line =
  | { readonly kind: "figures"; readonly cells: readonly string[] }
  | { readonly kind: "failure"; readonly cells: readonly string[]; readonly reason: string };

function line(row: Row): Line {
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

/** A long reason would make every column as wide; the report has all of it. */
const LONGEST_REASON = 110;

function shorten(text: string): string {
  return text.length <= LONGEST_REASON ? text : `${text.slice(0, LONGEST_REASON - 3)}...`;
}

const ASCII_LINES: Partial<Record<Table.CharName, string>> = {
  top: "-",
  "top-mid": "+",
  "top-left": "+",
  "top-right": "+",
  bottom: "-",
  "bottom-mid": "+",
  "bottom-left": "+",
  "bottom-right": "+",
  left: "|",
  "left-mid": "+",
  mid: "-",
  "mid-mid": "+",
  right: "|",
  "right-mid": "+",
  middle: "|",
};

function drawn(lines: readonly Line[], chars: Partial<Record<Table.CharName, string>>): string {
  const table = new Table({
    // On two lines where it has a unit or a second word, so that the table fits a terminal.
    head: COLUMNS.map(({ heading }) => heading.replace(/ (?=P\d|ms$|MiB$)|(?<=\/)/, "\n")),
    colAligns: COLUMNS.map(({ align }) => align),
    chars,
    // The table is written to files and pipes too; whoever has a terminal may colour it.
    style: { head: [], border: [] },
  });
  for (const { kind, cells, ...rest } of lines) {
    const reason =
      "reason" in rest
        ? [
            {
              colSpan: COLUMNS.length - NAMING_COLUMNS,
              hAlign: "left" as const,
              content: shorten(rest.reason),
            },
          ]
        : [];
    table.push(kind === "failure" ? [...cells, ...reason] : [...cells]);
  }
  return table.toString();
}

/** The micro sign is all that our own words have beyond ASCII; whatever else isn't ASCII becomes a question mark. */
function toAscii(text: string): string {
  return text.replaceAll("µ", "u").replaceAll(/[^\n\x20-\x7e]/g, "?");
}

function markdown(lines: readonly Line[]): string {
  const heading = COLUMNS.map((column) => column.heading);
  const rule = COLUMNS.map(({ align }) => (align === "right" ? "---:" : "---"));
  const body = lines.map((one) => {
    if (one.kind === "figures") return one.cells;
    const gap = COLUMNS.length - one.cells.length - 1;
    return [...one.cells, ...Array.from({ length: gap }, () => ""), one.reason];
  });
  return [heading, rule, ...body].map((cells) => `| ${cells.map(escapeCell).join(" | ")} |`).join("\n");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
