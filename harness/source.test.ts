import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { execa } from "execa";
import { parseStatusPaths, readSource } from "./source.ts";

async function inCheckout(
  work: (root: string, commit: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), "source-test-"));
  const git = (...args: string[]) =>
    execa("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...args], { cwd: root });
  try {
    await git("init", "--quiet");
    await mkdir(path.join(root, "results"));
    await writeFile(path.join(root, ".gitignore"), "made/\n");
    await writeFile(path.join(root, "code.ts"), "export {};\n");
    const commit = async () => {
      await git("add", "--all");
      await git("commit", "--quiet", "--message", "a state");
    };
    await commit();
    await work(root, commit);
  } finally {
    await rm(root, { recursive: true });
  }
}

test("a committed state is clean, and a changed or new file makes it dirty and another source", async () => {
  await inCheckout(async (root, commit) => {
    const clean = await readSource(root);
    assert.equal(clean.dirty, false);
    assert.match(clean.revision as string, /^[0-9a-f]{40}$/);
    await writeFile(path.join(root, "new.ts"), "");
    const untracked = await readSource(root);
    assert.equal(untracked.dirty, true);
    assert.notEqual(untracked.digest, clean.digest);
    await commit();
    const committed = await readSource(root);
    assert.equal(committed.dirty, false);
    assert.equal(committed.digest, untracked.digest, "committing changes no content");
  });
});

test("results, docs, prose and ignored files change neither digest nor dirty flag", async () => {
  await inCheckout(async (root) => {
    const before = await readSource(root);
    await mkdir(path.join(root, "docs"));
    await mkdir(path.join(root, "made"));
    for (const file of ["results/ssr-todo-x.json", "docs/figure.svg", "README.md", "made/out.js"]) {
      await writeFile(path.join(root, file), "text");
    }
    assert.deepEqual(await readSource(root), before);
  });
});

test("a folder that git can't read is unknown, with the reason", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "source-test-"));
  try {
    await writeFile(path.join(root, "code.ts"), "");
    const state = await readSource(root);
    assert.equal(state.dirty, "unknown");
    assert.equal(state.revision, null);
    assert.match(state.reason as string, /git can't be read/);
    assert.match(state.digest, /^[0-9a-f]{64}$/);
  } finally {
    await rm(root, { recursive: true });
  }
});

test("a renamed file is two paths", () => {
  assert.deepEqual(parseStatusPaths("R  new.ts\0old.ts\0?? b c.ts\0 M d.ts\0"), [
    "new.ts",
    "old.ts",
    "b c.ts",
    "d.ts",
  ]);
});
