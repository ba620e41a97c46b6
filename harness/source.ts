/** What was measured: the source's digest, its revision, and whether anything in it is uncommitted. */
import { execa } from "execa";
import { digestFiles, sourceFiles } from "./source-files.ts";

export interface SourceState {
  /** SHA-256 over paths and contents of all tracked files and of untracked ones that aren't ignored, but for what is left out. */
  readonly digest: string;
  readonly revision: string | null;
  /** `unknown` (git can't be read) counts as dirty. */
  readonly dirty: boolean | "unknown";
  /** Why something is null or unknown; null where nothing is. */
  readonly reason: string | null;
}

/**
 * True for what digest and dirty flag leave out: a run's own output and prose change nothing that is measured, and a
 * baseline that is committed must not make its own source look different.
 */
export function isLeftOut(file: string): boolean {
  return file.startsWith("results/") || file.startsWith("docs/") || file.endsWith(".md");
}

/** The paths in the output of `git status --porcelain -z`, old names of renamed files included. */
export function parseStatusPaths(output: string): string[] {
  const entries = output.split("\0").filter(Boolean);
  const paths: string[] = [];
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] as string;
    paths.push(entry.slice(3));
    // A rename or copy is followed by the name it had, as an entry of its own (git-status(1), "Pathname Format Notes and -z").
    if (/^[RC]|^.[RC]/.test(entry)) {
      index += 1;
      paths.push(entries[index] as string);
    }
  }
  return paths;
}

/** Reads the state of the checkout at `root`. A folder that git can't read is `unknown`, never an error. */
export async function readSource(root: string): Promise<SourceState> {
  const files = (await sourceFiles(root, ["."])).filter((file) => !isLeftOut(file));
  const digest = await digestFiles(root, files);
  try {
    const { revision, changed } = await readGit(root);
    return { digest, revision, dirty: changed.some((file) => !isLeftOut(file)), reason: null };
  } catch (error) {
    const [line] = (error as Error).message.split("\n");
    return { digest, revision: null, dirty: "unknown", reason: `git can't be read: ${line}` };
  }
}

/** What git says of a folder. */
export interface GitState {
  /** The checkout's own folder, which may lie above. */
  readonly top: string;
  readonly revision: string;
  /** Paths of what differs from the revision, untracked ones that aren't ignored included. */
  readonly changed: readonly string[];
}

/** @throws where git is missing, or `folder` lies in no checkout, or in one without a commit */
export async function readGit(folder: string): Promise<GitState> {
  const changed = parseStatusPaths(
    await git(folder, ["status", "--porcelain", "-z", "--untracked-files=all"]),
  );
  const [revision = "", top = ""] = (await git(folder, ["rev-parse", "HEAD", "--show-toplevel"])).split("\n");
  return { top, revision, changed };
}

async function git(root: string, args: readonly string[]): Promise<string> {
  // Without optional locks, reading the state never writes to the person's repository.
  const result = await execa("git", args, {
    cwd: root,
    stripFinalNewline: false,
    env: { GIT_OPTIONAL_LOCKS: "0" },
  });
  return result.stdout;
}
