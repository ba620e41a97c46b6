import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { execa } from "execa";
import { PROJECT_ROOT } from "../harness/project.ts";
import { makePlan, makeReport } from "../report/testing/right-report.ts";

const SAMPLE = path.join(PROJECT_ROOT, "schemas", "samples", "ssr-load.sample.json");

let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "results-verify-"));
});

after(async () => {
  await rm(folder, { recursive: true });
});

function verify(...args: string[]) {
  return execa(process.execPath, [path.join(PROJECT_ROOT, "commands", "results-verify.ts"), ...args], {
    reject: false,
  });
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

describe("results-verify", () => {
  it("passes a right report with exit code 0", async () => {
    const { exitCode, stdout } = await verify(SAMPLE);
    assert.equal(exitCode, 0);
    assert.match(stdout, /: right \(ssr-load, quick, both, complete; 4 rows from 4 visits\)$/);
  });

  it("knows browser reports", async () => {
    const sample = SAMPLE.replace("ssr-load", "ssr-browser");
    const { exitCode, stdout } = await verify(sample);
    assert.equal(exitCode, 0);
    assert.match(stdout, /: right \(ssr-browser, quick, progressive, complete; 2 rows from 4 visits\)$/);
  });

  it("lists every difference of every file, names those that can't be read, and exits 1", async () => {
    const report = makeReport(makePlan());
    Object.assign(report.rows[0] ?? assert.fail(), { completedRps: 99_999, startMs: 1 });
    const forged = await fileOf("forged.json", JSON.stringify(report));
    const cut = await fileOf("cut.json", JSON.stringify(report).slice(0, 500));
    const newer = await fileOf("newer.json", JSON.stringify({ ...report, schemaVersion: 2 }));
    const absent = path.join(folder, "absent.json");
    const { exitCode, stdout } = await verify(forged, cut, newer, absent, SAMPLE);
    assert.equal(exitCode, 1);
    assert.match(stdout, /forged\.json: 2 problems\n {2}rows\.0\.completedRps: .*\n {2}rows\.0\.startMs: /);
    assert.match(stdout, /cut\.json: 1 problem\n {2}cut-short: /);
    assert.match(stdout, /newer\.json: 1 problem\n {2}schema-version: .*newer/);
    assert.match(stdout, /absent\.json: 1 problem\n {2}file: .*no such file/);
    assert.match(stdout, /ssr-load\.sample\.json: right/);
  });

  it("prints one JSON object a file with --json", async () => {
    const cut = await fileOf("cut.json", "{");
    const { exitCode, stdout } = await verify("--json", SAMPLE, cut);
    assert.equal(exitCode, 1);
    const [right, wrong] = stdout.split("\n").map((line): unknown => JSON.parse(line));
    assert.deepEqual(right, { file: SAMPLE, ok: true, readable: true, problems: [] });
    assert.partialDeepStrictEqual(wrong, {
      file: cut,
      ok: false,
      readable: false,
      problems: [{ rule: "cut-short" }],
    });
  });

  it("exits 2 without a file or with an unknown flag, and names the nearest", async () => {
    const none = await verify();
    assert.equal(none.exitCode, 2);
    assert.match(none.stderr, /missing required argument 'files'/);
    const unknown = await verify("--jsno", SAMPLE);
    assert.equal(unknown.exitCode, 2);
    assert.match(unknown.stderr, /Did you mean --json\?/);
  });

  it("has help with examples", async () => {
    const { exitCode, stdout } = await verify("--help");
    assert.equal(exitCode, 0);
    assert.match(stdout, /Examples:\n {2}npm run results:verify -- results\//);
  });
});
