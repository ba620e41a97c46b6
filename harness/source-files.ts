/** The files that a person wrote, told apart from what was made of them: by git, or by name where git can't say. */
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { nullIfAbsent } from "./present.ts";

/**
 * Files at or below `paths` (relative to `root`), tracked by git or untracked and not ignored; sorted, relative to
 * `root`, with `/` between folders. Outside a git checkout: all files but those below folders that only hold what was
 * installed or made (`node_modules`, `dist`, `target`, names that begin with a dot).
 */
export async function sourceFiles(root: string, paths: readonly string[]): Promise<string[]> {
  const listed = (await listByGit(root, paths)) ?? (await listByWalking(root, paths));
  return [...new Set(listed)].sort();
}

/** Null where git is missing, `root` is no checkout, or the checkout that it lies in knows nothing of it. */
async function listByGit(root: string, paths: readonly string[]): Promise<string[] | null> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...paths];
  const result = await execa("git", args, { cwd: root, reject: false, stripFinalNewline: false });
  if (result.failed || result.stdout === "") return null;
  return result.stdout.split("\0").filter((file) => file !== "");
}

const MADE = /^(?:node_modules|dist|target|\..*)$/;

async function listByWalking(root: string, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((relative) => walk(root, path.posix.normalize(relative))));
  return found.flat();
}

async function walk(root: string, relative: string): Promise<string[]> {
  const kind = await lstat(path.join(root, relative)).catch(nullIfAbsent);
  if (kind === null) return [];
  if (!kind.isDirectory()) return [relative];
  const entries = await readdir(path.join(root, relative), { withFileTypes: true });
  const below = await Promise.all(
    entries
      .filter((entry) => !(entry.isDirectory() && MADE.test(entry.name)))
      .map(({ name }) => walk(root, path.posix.join(relative, name))),
  );
  return below.flat();
}

/**
 * SHA-256 over the paths and contents of `files` (relative to `root`), in that order, as lowercase hex. A file that is
 * gone, because git still lists what was deleted, doesn't count; a symbolic link counts by where it points.
 */
export async function digestFiles(root: string, files: readonly string[]): Promise<string> {
  const digest = createHash("sha256");
  for (const file of files) {
    const content = await readContent(path.join(root, file));
    if (content === null) continue;
    digest.update(`${file}\0${createHash("sha256").update(content).digest("hex")}\n`);
  }
  return digest.digest("hex");
}

async function readContent(file: string): Promise<Buffer | string | null> {
  const kind = await lstat(file).catch(nullIfAbsent);
  if (kind === null) return null;
  // A folder stands in git's list where it is a checkout of its own.
  if (kind.isDirectory()) return "";
  return kind.isSymbolicLink() ? await readlink(file) : await readFile(file);
}
