/** Reading what may not be there. */
import { readFile } from "node:fs/promises";

/** True for the error of a file or folder that isn't there. */
export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}

/** For `.catch`: null where it isn't there; any other error goes on. */
export function nullIfAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

/** A text file's content, or null where there is no such file. */
export async function readIfPresent(file: string): Promise<string | null> {
  return await readFile(file, "utf8").catch(nullIfAbsent);
}
