import assert from "node:assert/strict";
import { appendFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { BenchError } from "./errors.ts";
import {
  createJournal,
  type JournalShape,
  journalPath,
  parseJournal,
  readJournal,
  removeJournal,
  reopenJournal,
} from "./journal.ts";

type Head = { kind: "a-journal"; schemaVersion: 1 };
type Visit = { status: "skipped"; round: number };

const SHAPE: JournalShape<Head, Visit> = {
  head: z.strictObject({ kind: z.literal("a-journal"), schemaVersion: z.literal(1) }),
  visit: z.strictObject({ status: z.literal("skipped"), round: z.int() }),
};
const HEAD: Head = { kind: "a-journal", schemaVersion: 1 };

const skipped = (round: number): Visit => ({ status: "skipped", round });

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
    const contents = await readJournal(SHAPE, file);
    assert.deepEqual(contents.head, HEAD);
    assert.deepEqual(contents.visits, [skipped(1), skipped(2)]);
    const journal = await reopenJournal(file, contents);
    await journal.append(skipped(3));
    await journal.close();
    assert.deepEqual((await readJournal(SHAPE, file)).visits.length, 3);
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
      readJournal(SHAPE, file),
      (error) => error instanceof BenchError && error.code === "resume-refused",
    );
    await written(file, []);
    await appendFile(journalPath(file), "not JSON\n");
    const before = await readFile(journalPath(file), "utf8");
    await assert.rejects(
      readJournal(SHAPE, file),
      (error) => error instanceof BenchError && error.code === "bad-report" && /line 2/.test(error.message),
    );
    assert.equal(await readFile(journalPath(file), "utf8"), before);
  });
  for (const text of [
    "",
    "{",
    '{"kind":"a-journal"}\n',
    `${JSON.stringify({ ...HEAD, schemaVersion: 2 })}\n`,
  ]) {
    assert.throws(() => parseJournal(SHAPE, Buffer.from(text), "x"), BenchError, text);
  }
});
