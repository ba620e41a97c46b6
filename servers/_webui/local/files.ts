/** Files by path, size and SHA-256. */
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

export const fileSchema = z.strictObject({ path: z.string(), sha256: z.string(), bytes: z.int() });

/** `path` is relative to the checkout, with `/` between folders. */
export type HashedFile = z.infer<typeof fileSchema>;

/** All files below `folder` (relative to `root`) but those of folders that are left out; sorted, relative to `root`. */
export async function filesBelow(root: string, folder: string, leftOut?: RegExp): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const relative = path.posix.join(folder, entry.name);
      if (entry.isFile()) return [relative];
      const counts = entry.isDirectory() && !leftOut?.test(entry.name);
      return counts ? await filesBelow(root, relative, leftOut) : [];
    }),
  );
  return found.flat().sort();
}

/** @throws where the file can't be read */
export async function hashFile(root: string, file: string): Promise<HashedFile> {
  const content = await readFile(path.join(root, file));
  return { path: file, sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length };
}

export function hashFiles(root: string, files: readonly string[]): Promise<HashedFile[]> {
  return Promise.all(files.map((file) => hashFile(root, file)));
}

/** To the same relative paths below `target`. */
export async function copyFiles(root: string, files: readonly string[], target: string): Promise<void> {
  for (const file of files) {
    const to = path.join(target, file);
    await mkdir(path.dirname(to), { recursive: true });
    await cp(path.join(root, file), to);
  }
}

/** Those of `files` that aren't the same below `root`, missing ones included. */
export async function differing(root: string, files: readonly HashedFile[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of files) {
    const present = await hashFile(root, file.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
      throw error;
    });
    if (present?.sha256 !== file.sha256) found.push(file.path);
  }
  return found;
}
