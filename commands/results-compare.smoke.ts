import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { execa } from "execa";
import { PROJECT_ROOT } from "../harness/project.ts";
import { comparisonSchema } from "../report/comparison/schema.ts";
import { makePlan, makeReport } from "../report/testing/right-report.ts";

let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "results-compare-"));
  for (const seed of [7, 8]) {
    await writeFile(file(`${seed}.json`), JSON.stringify(makeReport(makePlan({ rounds: 6, seed }))));
  }
});

after(async () => {
  await rm(folder, { recursive: true });
});

function file(name: string): string {
  return path.join(folder, name);
}

function run(...args: readonly string[]) {
  return execa(process.execPath, [path.join(PROJECT_ROOT, "commands", "results-compare.ts"), ...args], {
    reject: false,
  });
}

test("compares two reports, as a table, Markdown or JSON", async () => {
  const table = await run(file("7.json"), file("8.json"));
  assert.equal(table.exitCode, 0, table.stderr);
  assert.match(table.stdout, /completedRps/);
  const markdown = await run("--markdown", file("7.json"), file("8.json"));
  assert.match(markdown.stdout, /^\| alpha \| progressive \| completedRps \|/m);
  const json = await run("--json", file("7.json"), file("8.json"));
  assert.equal(comparisonSchema.parse(JSON.parse(json.stdout)).status, "compared");
});

test("exits 1 where they don't compare, or one doesn't hold", async () => {
  const other = makeReport(makePlan({ rounds: 6, windowMs: 4000 }));
  await writeFile(file("other.json"), JSON.stringify(other));
  const apart = await run(file("7.json"), file("other.json"));
  assert.equal(apart.exitCode, 1);
  assert.match(apart.stdout, /Not comparable:\n- plan\.windowMs: 3000 in A, 4000 in B/);
  const forged = structuredClone(other);
  Object.assign(forged.rows[0] as object, { completedRps: 1 });
  await writeFile(file("forged.json"), JSON.stringify(forged));
  const refused = await run(file("forged.json"), file("7.json"));
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /forged\.json doesn't hold:\n {2}rows\.0\.completedRps/);
});

test("exits 2 on wrong use", async () => {
  assert.equal((await run(file("7.json"))).exitCode, 2);
  assert.equal((await run(file("7.json"), file("none.json"))).exitCode, 2);
});
