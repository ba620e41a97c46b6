/** Rows of a browser report → the table that a person reads. Rounding belongs here and nowhere before. */
import { drawTable, type TableColumn, type TableOptions } from "../draw-table.ts";
import type { BrowserFigure, BrowserRow } from "./schema.ts";

interface Column extends TableColumn {
  readonly cell: (row: BrowserRow) => string;
}

const KIB = 2 ** 10;
const MIB = 2 ** 20;

const COLUMNS: readonly Column[] = [
  { heading: "adapter", align: "left", cell: (row) => row.adapter },
  { heading: "rounds", align: "right", cell: (row) => `${row.rounds}` },
  figures("TTFB ms", (row) => row.ttfbMs, 1),
  figures("FCP ms", (row) => row.fcpMs, 0),
  figures("LCP ms", (row) => row.lcpMs, 0),
  figures("ready ms", (row) => row.readyMs, 0),
  figures("interaction ms", (row) => row.interactionMs, 0),
  figures("navigation ms", (row) => row.navigationMs, 0),
  figures("INP ms", (row) => row.inpMs, 0),
  figures("CLS", (row) => row.cls, 3),
  figures("JS KiB", (row) => row.jsTransferBytes, 1, KIB),
  figures("heap MiB", (row) => row.jsHeapEndBytes, 1, MIB),
  figures("renderer RSS MiB", (row) => row.rendererRssEndBytes, 0, MIB),
];

/** The rows in the order of the report, which is no ranking. From 6 rounds on a figure carries its interval. */
export function formatBrowserRows(rows: readonly BrowserRow[], options: TableOptions): string {
  const lines = rows.map((row) => ({
    kind: "figures" as const,
    cells: COLUMNS.map(({ cell }) => cell(row)),
  }));
  return drawTable(COLUMNS, lines, options);
}

/** @param unit what one of the heading's units is in the row's */
function figures(
  heading: string,
  figureOf: (row: BrowserRow) => BrowserFigure,
  digits: number,
  unit = 1,
): Column {
  const round = (value: number) => (value / unit).toFixed(digits);
  const cell = (row: BrowserRow): string => {
    const { median, low, high, level } = figureOf(row);
    if (median === null) return "null";
    if (low === null || high === null || level === null) return round(median);
    return `${round(median)} [${round(low)}, ${round(high)}]`;
  };
  return { heading, align: "right", cell };
}
