import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { BenchError } from "./errors.ts";
import { assertWritable, keepAside, writeAtomically } from "./files.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "files-test-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isNotWritable = (error: unknown) => error instanceof BenchError && error.code === "not-writable";

test("a file is replaced whole, its folder made, and nothing temporary is left", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "deep", "report.json");
    await writeAtomically(file, "one");
    await writeAtomically(file, "two");
    assert.equal(await readFile(file, "utf8"), "two");
    assert.deepEqual(await readdir(path.dirname(file)), ["report.json"]);
  });
});

test("what can't be written is said, and what stood there stays whole", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "report.json");
    await writeFile(file, "old");
    await assert.rejects(writeAtomically(path.join(file, "below", "x.json"), "new"), isNotWritable);
    await assert.rejects(assertWritable(path.join(file, "x.json"), 1), isNotWritable);
    assert.equal(await readFile(file, "utf8"), "old");
  });
});

test("too little room and a folder in the file's place are said before anything is written", async () => {
  await inFolder(async (folder) => {
    await assert.rejects(
      assertWritable(path.join(folder, "report.json"), Number.MAX_SAFE_INTEGER),
      isNotWritable,
    );
    await mkdir(path.join(folder, "report.json"));
    await assert.rejects(assertWritable(path.join(folder, "report.json"), 1), isNotWritable);
  });
});

test("an earlier file is kept aside under the time of the new one", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "report.json");
    const at = new Date("2026-01-02T03:04:05.678Z");
    assert.equal(await keepAside(file, at), null);
    await writeFile(file, "old");
    const kept = await keepAside(file, at);
    assert.equal(kept, path.join(folder, "report.kept-2026-01-02T03-04-05-678Z.json"));
    assert.equal(await readFile(kept as string, "utf8"), "old");
  });
});
