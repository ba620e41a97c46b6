import assert from "node:assert/strict";
import { appendFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { BenchError } from "../harness/errors.ts";
import type { Visit } from "../report/schema.ts";
import {
  createJournal,
  type JournalHead,
  journalPath,
  parseJournal,
  readJournal,
  removeJournal,
  reopenJournal,
} from "./journal.ts";
import { makePlan } from "./plan.ts";
import { assertResumable, differences } from "./resume.ts";
import { PROVENANCE } from "./test/provenance.ts";

const PLAN = makePlan({ runtimeMode: "quick", filtered: false }, ["a"], { server: 0, others: [1] }, 1);
const HEAD: JournalHead = {
  kind: "ssr-load-journal",
  schemaVersion: 1,
  contractVersion: 1,
  plan: PLAN,
  provenance: PROVENANCE,
};

function skipped(round: number): Visit {
  return {
    status: "skipped",
    adapter: "a",
    responseMode: "complete",
    round,
    telemetry: true,
    reason: "a test",
  };
}

async function withReportFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "journal-test-"));
  try {
    await work(path.join(folder, "report.json"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function written(file: string, visits: readonly Visit[]): Promise<void> {
  const journal = await createJournal(file, HEAD);
  try {
    for (const visit of visits) await journal.append(visit);
  } finally {
    await journal.close();
  }
}

test("what is appended is read again, and a run goes on where the last whole line ended", async () => {
  await withReportFile(async (file) => {
    await written(file, [skipped(1), skipped(2)]);
    await appendFile(journalPath(file), '{"status":"skip');
    const contents = await readJournal(file);
    assert.deepEqual(contents.head, HEAD);
    assert.deepEqual(contents.visits, [skipped(1), skipped(2)]);
    const journal = await reopenJournal(file, contents);
    await journal.append(skipped(3));
    await journal.close();
    assert.deepEqual((await readJournal(file)).visits.length, 3);
  });
});

test("a journal that is in the way is kept aside", async () => {
  await withReportFile(async (file) => {
    await written(file, [skipped(1)]);
    await written(file, []);
    assert.equal((await readdir(path.dirname(file))).length, 2);
    await removeJournal(file);
    assert.equal((await readdir(path.dirname(file))).length, 1);
  });
});

test("a journal that isn't there or isn't one is refused, and left as it is", async () => {
  await withReportFile(async (file) => {
    await assert.rejects(
      readJournal(file),
      (error) => error instanceof BenchError && error.code === "resume-refused",
    );
    await written(file, []);
    await appendFile(journalPath(file), "not JSON\n");
    const before = await readFile(journalPath(file), "utf8");
    await assert.rejects(
      readJournal(file),
      (error) => error instanceof BenchError && error.code === "bad-report" && /line 2/.test(error.message),
    );
    assert.equal(await readFile(journalPath(file), "utf8"), before);
  });
  for (const text of [
    "",
    "{",
    '{"kind":"ssr-load-journal"}\n',
    `${JSON.stringify({ ...HEAD, schemaVersion: 2 })}\n`,
  ]) {
    assert.throws(() => parseJournal(text, "x"), BenchError, text);
  }
});

test("a run goes on only with the same plan, source and machine", () => {
  assert.deepEqual(differences(HEAD, 1, PLAN, { ...PROVENANCE, startedAt: "2026-01-02T00:00:00.000Z" }), []);
  const spoiled: [RegExp, Parameters<typeof differences>][] = [
    [/contract version/, [HEAD, 2, PLAN, PROVENANCE]],
    [/plan\.rounds: 1 then, 2 now/, [HEAD, 1, { ...PLAN, rounds: 2 }, PROVENANCE]],
    [/plan\.cpus/, [HEAD, 1, { ...PLAN, cpus: { server: 1, others: [0] } }, PROVENANCE]],
    [/source digest/, [HEAD, 1, PLAN, { ...PROVENANCE, sourceDigest: "1".repeat(64) }]],
    [/git revision/, [HEAD, 1, PLAN, { ...PROVENANCE, gitRevision: null }]],
    [/machine/, [HEAD, 1, PLAN, { ...PROVENANCE, machine: { ...PROVENANCE.machine, kernel: "other" } }]],
  ];
  for (const [said, args] of spoiled) {
    assert.throws(
      () => assertResumable(...args),
      (error) => error instanceof BenchError && error.code === "resume-refused" && said.test(error.message),
      String(said),
    );
  }
});
