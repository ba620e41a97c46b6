/** Lines of cells → a table for a terminal, a log or a document. */
import Table from "cli-table3";
import { assertNever } from "./assert-never.ts";

export interface TableOptions {
  /** `ascii` and `unicode` for a terminal or a log, `markdown` for a document. */
  readonly format: "ascii" | "unicode" | "markdown";
}

export interface TableColumn {
  readonly heading: string;
  readonly align: "left" | "right";
}

/** One row of text: a cell for each column, or the first ones and, across all others, what failed. */
export type TableLine =
  | { readonly kind: "figures"; readonly cells: readonly string[] }
  | { readonly kind: "failure"; readonly cells: readonly string[]; readonly reason: string };

export function drawTable(
  columns: readonly TableColumn[],
  lines: readonly TableLine[],
  { format }: TableOptions,
): string {
  switch (format) {
    case "markdown":
      return markdown(columns, lines);
    case "ascii":
      return toAscii(drawn(columns, lines, ASCII_LINES));
    case "unicode":
      return drawn(columns, lines, {});
    default:
      return assertNever(format);
  }
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

function drawn(
  columns: readonly TableColumn[],
  lines: readonly TableLine[],
  chars: Partial<Record<Table.CharName, string>>,
): string {
  const table = new Table({
    // On two lines where it has a unit or a second word, so that the table fits a terminal.
    head: columns.map(({ heading }) => heading.replace(/ (?=P\d|ms$|[KM]iB$)|(?<=\/)/, "\n")),
    colAligns: columns.map(({ align }) => align),
    chars,
    // The table is written to files and pipes too; whoever has a terminal may colour it.
    style: { head: [], border: [] },
  });
  for (const { kind, cells, ...rest } of lines) {
    const reason =
      "reason" in rest
        ? [
            {
              colSpan: columns.length - cells.length,
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

function markdown(columns: readonly TableColumn[], lines: readonly TableLine[]): string {
  const heading = columns.map((column) => column.heading);
  const rule = columns.map(({ align }) => (align === "right" ? "---:" : "---"));
  const body = lines.map((one) => {
    if (one.kind === "figures") return one.cells;
    const gap = columns.length - one.cells.length - 1;
    return [...one.cells, ...Array.from({ length: gap }, () => ""), one.reason];
  });
  return [heading, rule, ...body].map((cells) => `| ${cells.map(escapeCell).join(" | ")} |`).join("\n");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
