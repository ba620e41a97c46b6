/** The exporter itself, on files: what it writes, and that it writes nothing where something is wrong. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, beforeEach, test } from "node:test";
import { execa } from "execa";
import { discoverAdapters } from "../harness/manifest.ts";
import { PROJECT_ROOT, SERVERS_DIR } from "../harness/project.ts";
import { readSource } from "../harness/source.ts";
import { makePublication, type RightPublication } from "../report/testing/right-publication.ts";
import { CONTRACT_VERSION } from "../todo/contract/data.ts";

const adapters = (await discoverAdapters(SERVERS_DIR)).map(({ id }) => id).sort();
const right = ofThisCheckout(makePublication(adapters), (await readSource(PROJECT_ROOT)).digest);
const SUMMARIES = ["benchmark-summary-complete.json", "benchmark-summary.json"];
const folders: string[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "results-summary-"));
  folders.push(folder);
});

after(async () => {
  for (const one of folders) await rm(one, { recursive: true });
});

function ofThisCheckout(publication: RightPublication, sourceDigest: string): RightPublication {
  for (const report of Object.values(publication)) {
    Object.assign(report, { contractVersion: CONTRACT_VERSION });
    Object.assign(report.provenance, { sourceDigest });
  }
  return publication;
}

async function put(reports: Partial<Record<keyof RightPublication, unknown>>): Promise<void> {
  for (const [name, report] of Object.entries(reports)) {
    await writeFile(path.join(folder, name), JSON.stringify(report));
  }
}

function run(script: string, ...args: readonly string[]) {
  return execa(process.execPath, [path.join(PROJECT_ROOT, "commands", script), ...args], { reject: false });
}

async function summaries(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith("benchmark-summary")).sort();
}

test("writes both summaries, which a stranger can verify with their reports, and the same bytes again", async () => {
  await put(right);
  const { exitCode, stdout } = await run("results-summary.ts", "--results", folder);
  assert.equal(exitCode, 0, stdout);
  assert.deepEqual(await summaries(), SUMMARIES);
  const first = await readFile(path.join(folder, "benchmark-summary.json"), "utf8");
  await run("results-summary.ts", "--results", folder);
  assert.equal(await readFile(path.join(folder, "benchmark-summary.json"), "utf8"), first);

  const verified = await run("results-verify.ts", folder);
  assert.equal(verified.exitCode, 0, verified.stdout);
  await writeFile(
    path.join(folder, "benchmark-summary.json"),
    first.replace('"rankable": true', '"rankable": false'),
  );
  const changed = await run("results-verify.ts", folder);
  assert.equal(changed.exitCode, 1);
  assert.match(changed.stdout, /benchmark-summary\.json: 1 problem\n {2}rows\.\d+\.rankable: /);
});

test("writes nothing, and leaves what is there, where a report is wrong; every reason is listed", async () => {
  const spoiled = structuredClone(right);
  spoiled["ssr-todo-official.json"].provenance.dirty = true;
  spoiled["ssr-todo-official-complete.json"].provenance.sourceDigest = "e".repeat(64);
  await put(spoiled);
  await writeFile(path.join(folder, "benchmark-summary.json"), "an earlier one");
  const { exitCode, stdout } = await run("results-summary.ts", "--results", folder);
  assert.equal(exitCode, 1);
  for (const code of ["dirty-source", "other-source", "reports-differ"])
    assert.ok(stdout.includes(`(${code})`), stdout);
  assert.deepEqual(await summaries(), ["benchmark-summary.json"]);
  assert.equal(await readFile(path.join(folder, "benchmark-summary.json"), "utf8"), "an earlier one");
});

test("writes the complete mode's without a browser report, and says what is missing for the other", async () => {
  const { "ssr-todo-browser-outcomes-official.json": _, ...loads } = right;
  await put(loads);
  const { exitCode, stdout } = await run("results-summary.ts", "--json", "--results", folder);
  assert.equal(exitCode, 1);
  assert.deepEqual(await summaries(), ["benchmark-summary-complete.json"]);
  const told = JSON.parse(stdout) as readonly {
    readonly name: string;
    readonly blockers?: readonly object[];
  }[];
  assert.partialDeepStrictEqual(told, [
    { name: "benchmark-summary.json", status: "blocked", blockers: [{ code: "missing-report" }] },
    { name: "benchmark-summary-complete.json", status: "published" },
  ]);
});

test("wrong use ends with 2, and says what is wrong", async () => {
  const none = await run("results-summary.ts", "--results", path.join(folder, "none"));
  assert.equal(none.exitCode, 2);
  assert.match(none.stderr, /there is no folder/);
  assert.equal((await run("results-summary.ts", "--force")).exitCode, 2);
});
