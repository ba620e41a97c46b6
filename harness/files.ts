/** Files that stay whole: written beside their place and renamed, or appended and flushed. */
import { constants } from "node:fs";
import { access, mkdir, open, rename, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { BenchError } from "./errors.ts";
import { nullIfAbsent } from "./present.ts";

/** Replaces `file` by `text` in one step: a reader sees the old or the new, never a part. @throws BenchError `not-writable` */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await open(temporary, "w");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    // The first error says what is wrong; that the clean-up can't be had either adds nothing.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw notWritable(file, error);
  }
}

/** Moves an existing file aside, so that it is kept. @returns its new path, or null where there was none */
export async function keepAside(file: string, at: Date): Promise<string | null> {
  if (!(await exists(file))) return null;
  const { dir, name, ext } = path.parse(file);
  const kept = path.join(dir, `${name}.kept-${at.toISOString().replaceAll(/[:.]/g, "-")}${ext}`);
  await rename(file, kept);
  return kept;
}

export async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(nullIfAbsent)) !== null;
}

/**
 * Fails before the run, not after it, where `file` can't be written: its folder is made, tried, and has room.
 * @throws BenchError `not-writable`
 */
export async function assertWritable(file: string, neededBytes: number): Promise<void> {
  const folder = path.dirname(file);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < neededBytes)
      throw new Error(`only ${bavail * bsize} bytes are free, ${neededBytes} are needed`);
  } catch (error) {
    throw notWritable(file, error);
  }
  if ((await exists(file)) && (await stat(file)).isDirectory())
    throw notWritable(file, new Error("it is a folder"));
}

export function notWritable(file: string, cause: unknown): BenchError {
  return new BenchError({
    stage: "report",
    code: "not-writable",
    message: `${file} can't be written: ${(cause as Error).message}`,
    hint: "Free some space, mend the folder's rights, or name another file with --output. What stood there before is whole.",
    cause,
  });
}
