import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Row } from "./schema.ts";
import { formatRows, sortRows } from "./table.ts";
import { makePlan, makeReport } from "./testing/right-report.ts";

const { rows: ROWS } = makeReport(
  makePlan({ adapters: ["alpha", "beta"], responseModes: ["progressive", "complete"] }),
);

const FAILED: Row = {
  status: "failed",
  adapter: "gamma",
  responseMode: "progressive",
  attempts: 3,
  measuredRounds: 2,
  failure: { stage: "verify", code: "contract", message: "99 items | 100 expected\nmore", hint: "Mend it." },
};

describe("sortRows", () => {
  it("sorts by mode, then by RPS from the most, failed rows last", () => {
    const names = sortRows([FAILED, ...ROWS.toReversed()]).map((row) => `${row.adapter}/${row.responseMode}`);
    assert.deepEqual(names, [
      "alpha/progressive",
      "beta/progressive",
      "gamma/progressive",
      "alpha/complete",
      "beta/complete",
    ]);
  });
});

describe("formatRows", () => {
  it("has every column with its unit, in plain ASCII", () => {
    const text = formatRows(ROWS, { format: "ascii" });
    const [, first = "", second = ""] = text.split("\n");
    const cells = (line: string) => line.split("|").map((cell) => cell.trim());
    const columns = cells(first).map((word, index) => `${word} ${cells(second)[index]}`.trim());
    assert.deepEqual(columns.filter(Boolean), [
      "adapter",
      "mode",
      "RPS",
      "P50 ms",
      "P95 ms",
      "P99 ms",
      "first byte P50 ms",
      "peak RSS MiB",
      "CPU us/ response",
      "errors/ timeouts",
      "verdict",
    ]);
    assert.match(text, /^[\n\x20-\x7e]+$/);
    assert.match(text, /\| rankable \|/);
  });

  it("draws for a terminal, without colours of its own", () => {
    const text = formatRows(ROWS, { format: "unicode" });
    assert.match(text, /^┌/);
    assert.match(text, /CPU µs\//);
    assert.ok(!text.includes("\u001b"));
  });

  it("says why a row isn't rankable, what failed, and which figure is null", () => {
    const rows = makeReport(makePlan(), (visit) => {
      visit.load.longestGapMs = 1500;
      visit.sampled.rss = [];
      return visit;
    }).rows;
    const text = formatRows([...rows, FAILED], { format: "ascii" });
    assert.match(text, /not rankable: stalled, inconsistent/);
    assert.match(text, /\| +null \|/);
    assert.match(
      text,
      /gamma +\| progressive \| failed in verify, contract: 99 items \| 100 expected \(2 rounds were measured all the same\)/,
    );
  });

  it("gives intervals from 6 rounds on and no range below", () => {
    const of = (rounds: number) => formatRows(makeReport(makePlan({ rounds })).rows, { format: "ascii" });
    assert.match(of(6), /\d+ \[\d+, \d+\]/);
    assert.doesNotMatch(of(5), /\[/);
  });

  it("writes Markdown whose cells hold no bars", () => {
    const lines = formatRows([...ROWS, FAILED], { format: "markdown" }).split("\n");
    assert.equal(lines.length, 7);
    for (const line of lines) assert.equal(line.replaceAll("\\|", "").split("|").length, 13, line);
    assert.match(lines[1] ?? "", /^\| --- \| --- \| ---: \|/);
  });
});
