import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { digestFiles, sourceFiles } from "./source-files.ts";

let root = "";

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "source-"));
  for (const file of [
    "a.ts",
    "b/c.ts",
    "b/dist/made.js",
    "b/node_modules/x/index.js",
    "b/.cache/y",
    "d e.ts",
  ]) {
    await write(file, file);
  }
});
afterEach(() => rm(root, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: root, stdio: "ignore" });
}

test("outside git, folders of what was installed or made are left out", async () => {
  assert.deepEqual(await sourceFiles(root, ["."]), ["a.ts", "b/c.ts", "d e.ts"]);
  assert.deepEqual(await sourceFiles(root, ["b", "a.ts", "b/c.ts", "nothing"]), ["a.ts", "b/c.ts"]);
});

test("in a checkout, tracked files and untracked ones that aren't ignored", async () => {
  git("init");
  await write(".gitignore", "dist/\nnode_modules/\n.cache/\n");
  git("add", "a.ts", ".gitignore");
  assert.deepEqual(await sourceFiles(root, ["."]), [".gitignore", "a.ts", "b/c.ts", "d e.ts"]);
  assert.deepEqual(await sourceFiles(root, ["b"]), ["b/c.ts"]);
});

test("a checkout inside another that ignores it is walked", async () => {
  git("init");
  await write(".gitignore", "/b/\n");
  assert.deepEqual(await sourceFiles(path.join(root, "b"), ["."]), ["c.ts"]);
});

test("the digest follows paths, contents, and where links point; a deleted file doesn't count", async () => {
  const files = ["a.ts", "b/c.ts"];
  const before = await digestFiles(root, files);
  assert.match(before, /^[0-9a-f]{64}$/);
  assert.equal(await digestFiles(root, [...files, "gone.ts"]), before);
  await symlink("a.ts", path.join(root, "link"));
  const linked = await digestFiles(root, [...files, "link"]);
  assert.notEqual(linked, before);
  await write("a.ts", "changed");
  assert.notEqual(await digestFiles(root, files), before);
});
