/** What a program says of its own version. */
import { execa } from "execa";
import { PROJECT_ROOT } from "./project.ts";

const ANSWER_LIMIT_MS = 10_000;

/** The first version number that `file --version` prints; null where it can't be run, or doesn't end. */
export async function versionOf(file: string): Promise<string | null> {
  const { failed, stdout } = await execa(file, ["--version"], {
    reject: false,
    cwd: PROJECT_ROOT,
    timeout: ANSWER_LIMIT_MS,
  });
  return failed ? null : (/\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? null);
}

/** True where `version` isn't older than `oldest`; both in numbers with dots between them. */
export function isAtLeast(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}
