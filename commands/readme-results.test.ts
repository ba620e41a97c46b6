/** That the README's tables are those of the published reports: a figure typed by hand, or left from another run, is found. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT, RESULTS_DIR } from "../harness/project.ts";
import { readLoadReport } from "../report/read.ts";
import { formatRows } from "../report/table.ts";

const readme = lines(readFileSync(path.join(PROJECT_ROOT, "README.md"), "utf8"));
const published = ["ssr-todo-official.json", "ssr-todo-official-complete.json"];

/** However wide a formatter has made a table's columns. */
function lines(text: string): readonly string[] {
  return text.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim());
}

for (const name of published) {
  const file = path.join(RESULTS_DIR, name);
  test(`README has the rows of ${name}`, { skip: !existsSync(file) && "none is published" }, () => {
    const read = readLoadReport(readFileSync(file, "utf8"));
    assert.ok(read.ok);
    const [, , ...rows] = lines(formatRows(read.report.rows, { format: "markdown" }));
    assert.ok(rows.length > 0);
    for (const row of rows) assert.ok(readme.includes(row), `README.md lacks this row of ${name}:\n${row}`);
  });
}
