import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeBrowserPlan, makeBrowserReport } from "../testing/right-browser-report.ts";
import { formatBrowserRows } from "./table.ts";

const rowsOf = (rounds: number) =>
  makeBrowserReport(makeBrowserPlan({ adapters: ["alpha", "beta"], rounds }), (visit) => {
    visit.metrics.jsTransferBytes = 2048 * visit.round;
    if (visit.adapter === "beta") {
      visit.metrics.inpMs = null;
      visit.nullReasons.inpMs = "no interaction was long enough";
    }
    return visit;
  }).rows;

function cellsOf(rounds: number): Map<string, string[]> {
  const lines = formatBrowserRows(rowsOf(rounds), { format: "markdown" }).split("\n");
  const [heading = [], , ...rows] = lines.map((line) => line.slice(2, -2).split(" | "));
  return new Map(heading.map((name, index) => [name, rows.map((row) => row[index] ?? "")]));
}

describe("formatBrowserRows", () => {
  it("has a row for each product, its bytes in the heading's unit, and null where there is no figure", () => {
    const cells = cellsOf(1);
    assert.deepEqual(cells.get("adapter"), ["alpha", "beta"]);
    assert.deepEqual(cells.get("JS KiB"), ["2.0", "2.0"]);
    assert.match(cells.get("INP ms")?.[0] ?? "", /^\d+$/);
    assert.equal(cells.get("INP ms")?.[1], "null");
  });

  it("gives the interval from 6 rounds on, and no range below", () => {
    assert.equal(cellsOf(3).get("JS KiB")?.[0], "4.0");
    assert.equal(cellsOf(6).get("JS KiB")?.[0], "7.0 [2.0, 12.0]");
  });
});
