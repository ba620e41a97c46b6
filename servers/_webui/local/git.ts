/** What git says of a checkout, without writing to it. */
import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";
import type { LocalRecord } from "./record.ts";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;

/** A folder that git doesn't know, or that only lies in another checkout, has no revision. */
export async function gitState(
  checkout: string,
): Promise<Pick<LocalRecord, "revision" | "dirty" | "reason">> {
  try {
    const [revision = "", top] = (await git(checkout, ["rev-parse", "HEAD", "--show-toplevel"])).split("\n");
    if (top !== (await realpath(checkout))) throw new Error("it isn't a checkout of its own");
    const changed = await git(checkout, ["status", "--porcelain", "--untracked-files=all"]);
    return { revision, dirty: changed !== "", reason: null };
  } catch (error) {
    const [line] = (error as Error).message.split("\n");
    return { revision: null, dirty: "unknown", reason: `git knows no revision of it: ${line}` };
  }
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
  return (await run("git", args, { cwd, env, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
}
