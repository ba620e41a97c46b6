/** A comparison → the table that a person reads, in a terminal or in Markdown. */
import { drawTable, type TableColumn, type TableLine, type TableOptions } from "../draw-table.ts";
import { LEAST_ROUNDS } from "./ratio.ts";
import type { ComparedFigure, ComparedRow, Comparison } from "./schema.ts";

const COLUMNS: readonly TableColumn[] = [
  { heading: "adapter", align: "left" },
  { heading: "mode", align: "left" },
  { heading: "figure", align: "left" },
  { heading: "A", align: "right" },
  { heading: "B", align: "right" },
  { heading: "B / A", align: "right" },
  { heading: "interval", align: "left" },
  { heading: "B is", align: "left" },
];

/** The whole comparison, with what has changed between the two. Ends with a line break. */
export function formatComparison(comparison: Comparison, options: TableOptions): string {
  const { a, b } = comparison;
  const names = [`A: ${a}`, `B: ${b}`];
  if (comparison.status === "not-comparable") {
    return `${[...names, "", "Not comparable:", ...comparison.reasons.map((reason) => `- ${reason}`)].join("\n")}\n`;
  }
  const { rounds, changed, rows } = comparison;
  const few = Math.min(rounds.a, rounds.b) < LEAST_ROUNDS;
  return `${[
    ...names,
    "",
    changed.length === 0 ? "Between them nothing has changed that is recorded." : "Between them:",
    ...changed.map((line) => `- ${line}`),
    "",
    drawTable(COLUMNS, rows.flatMap(linesOf), options),
    ...(few
      ? [
          "",
          `${rounds.a} and ${rounds.b} rounds: an interval takes ${LEAST_ROUNDS} in each, and without one a difference may be noise.`,
        ]
      : []),
  ].join("\n")}\n`;
}

function linesOf(row: ComparedRow): TableLine[] {
  const cell = [row.adapter, row.responseMode];
  if (row.status === "not-comparable")
    return [{ kind: "failure", cells: cell, reason: `not comparable: ${row.reason}` }];
  return row.figures.map((figure) => ({ kind: "figures", cells: [...cell, ...cellsOf(figure)] }));
}

function cellsOf({ path, a, b, ratio, low, high, level, word }: ComparedFigure): string[] {
  const interval =
    low === null || high === null || level === null
      ? "none"
      : `[${low.toFixed(3)}, ${high.toFixed(3)}], ${(level * 100).toFixed(1)} %`;
  return [path, number(a), number(b), ratio === null ? "null" : ratio.toFixed(3), interval, word ?? "-"];
}

/** Three digits at least, and no more behind the point than help. */
function number(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
