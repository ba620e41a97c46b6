/**
 * What the server's processes really run and have loaded, by `/proc`, held against what `/bench/info` says. Reading
 * is impure and apart; the judgement is a pure function.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import type { RuntimeId } from "../report/schema.ts";
import type { BenchInfo, LoadedArtifact } from "../todo/contract/bench-info.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { problem, quote } from "../todo/contract/problems.ts";
import { developmentSign } from "./development.ts";
import type { AdapterManifest } from "./manifest.ts";
import { isGone } from "./proc.ts";
import { PROJECT_ROOT } from "./project.ts";

/** A file by what it is, not by what it is called. */
export interface FoundFile {
  readonly path: string;
  /** Device and inode. */
  readonly identity: string;
  /** Null where it can't be read, or isn't asked for. */
  readonly sha256: string | null;
}

export interface ProcessFacts {
  readonly pid: number;
  readonly exe: FoundFile;
  /** Code from outside the system's own folders, and whatever lies in the adapter's folder: mapped, or open. */
  readonly files: readonly FoundFile[];
}

export interface LoadedFacts {
  /** The server's whole tree; a process that ended meanwhile isn't in it. */
  readonly processes: readonly ProcessFacts[];
  /** The pinned binary's identity; null for `native`. */
  readonly runtimeBinary: { readonly path: string; readonly identity: string } | null;
  /** What `/bench/info` lists as it is on disk, by its path there; null where there is no such file. */
  readonly onDisk: ReadonlyMap<string, DiskFile | null>;
}

export interface DiskFile {
  readonly sha256: string;
  /** See `development.ts`. */
  readonly developmentSign: string | null;
}

/** The pinned binaries, relative to the project's root. */
const RUNTIME_BINARIES: Readonly<Record<Exclude<RuntimeId, "native">, string>> = {
  node: "node_modules/node/bin/node",
  bun: "node_modules/bun/bin/bun.exe",
  deno: "node_modules/deno/deno",
};

/** Reads what the processes run and have loaded. @throws Error where `/proc` can't be read, such as another user's process */
export function readLoaded(manifest: AdapterManifest, pids: readonly number[], info: BenchInfo): LoadedFacts {
  const folder = realpathSync(manifest.folder);
  const hash = hasher();
  return {
    processes: pids.flatMap((pid) => readProcess(pid, folder, manifest.runtime === "native", hash)),
    runtimeBinary: manifest.runtime === "native" ? null : pinnedBinary(manifest.runtime),
    onDisk: new Map(info.artifacts.map((artifact) => [artifact.path, readInside(folder, artifact.path)])),
  };
}

/** Each file is hashed once, however many processes have it. */
function hasher(): (file: string) => string | null {
  const known = new Map<string, string | null>();
  return (file) => {
    const seen = known.get(file);
    if (seen !== undefined) return seen;
    const fresh = sha256Of(file);
    known.set(file, fresh);
    return fresh;
  };
}

/** A file that the server names: anything but a regular file in its folder (a device, say) is none. */
function readInside(folder: string, name: string): DiskFile | null {
  const file = path.join(folder, name);
  try {
    if (!isBelow(file, folder) || !statSync(file).isFile()) return null;
    const content = readFileSync(file);
    return { sha256: sha256(content), developmentSign: developmentSign(name, content) };
  } catch (error) {
    if (NO_FILE.has((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** What the system calls say of a name that is no file's. */
const NO_FILE: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "EACCES",
  "ERR_INVALID_ARG_VALUE",
]);

function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function sha256Of(file: string): string | null {
  try {
    return sha256(readFileSync(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return null;
    throw error;
  }
}

function pinnedBinary(runtime: Exclude<RuntimeId, "native">): { path: string; identity: string } | null {
  const file = path.join(PROJECT_ROOT, RUNTIME_BINARIES[runtime]);
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? null : { path: file, identity: identityOf(stats) };
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function readProcess(
  pid: number,
  folder: string,
  hashExe: boolean,
  hash: (file: string) => string | null,
): ProcessFacts[] {
  try {
    const link = `/proc/${pid}/exe`;
    const exe = {
      path: readlinkSync(link),
      identity: identityOf(statSync(link)),
      sha256: hashExe ? sha256Of(link) : null,
    };
    const mapped = parseMaps(readFileSync(`/proc/${pid}/maps`, "utf8")).filter((file) =>
      isOurs(file, folder),
    );
    const open = openFiles(pid).filter((file) => isBelow(file, folder));
    const files = [...new Set([...mapped, ...open])].filter((file) => file !== exe.path);
    return [{ pid, exe, files: files.map((file) => foundFile(file, hash)) }];
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Paths of the files mapped, each once; a file that was deleted since keeps the kernel's ` (deleted)`. */
export function parseMaps(text: string): string[] {
  const paths = text.split("\n").map((line) => /^\S+ \S+ \S+ \S+ \d+\s+(\/.*)$/.exec(line)?.[1]);
  return [...new Set(paths.filter((file) => file !== undefined))];
}

function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const link = `/proc/${pid}/fd/${fd}`;
      return statSync(link).isFile() ? [readlinkSync(link)] : [];
    } catch (error) {
      // Closed between the listing and the look.
      if (isGone(error)) return [];
      throw error;
    }
  });
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}${path.sep}`);
}

function isOurs(file: string, folder: string): boolean {
  return (
    isBelow(file, folder) || isBelow(file, PROJECT_ROOT) || file.replace(" (deleted)", "").endsWith(".node")
  );
}

function foundFile(file: string, hash: (file: string) => string | null): FoundFile {
  const stats = statSync(file, { throwIfNoEntry: false });
  return { path: file, identity: stats === undefined ? "" : identityOf(stats), sha256: hash(file) };
}

/** What is to run: a manifest, and the artifacts that its build made. */
export interface Expected {
  readonly manifest: AdapterManifest;
  readonly artifacts: readonly LoadedArtifact[];
}

/** Whether what runs is what was built, for production, and what `/bench/info` lists. Pure. */
export function judgeLoaded(expected: Expected, info: BenchInfo, facts: LoadedFacts): Problem[] {
  const { runtime } = expected.manifest;
  return [
    ...judgePid(info, facts),
    ...judgeListed(expected, info),
    ...judgeDisk(info, facts),
    ...facts.processes.flatMap((one) => [
      ...judgeExe(runtime, info, facts, one),
      ...judgeFiles(info, facts, one),
    ]),
  ];
}

function judgePid({ pid }: BenchInfo, { processes }: LoadedFacts): Problem[] {
  const pids = processes.map((one) => one.pid);
  return pids.includes(pid)
    ? []
    : [problem("info-pid", `a process of the server's tree: ${pids.join(", ") || "none"}`, String(pid))];
}

/** The list is that of the build, whatever the mode: each mode runs the whole build and nothing else. */
function judgeListed({ artifacts }: Expected, info: BenchInfo): Problem[] {
  const built = new Map(artifacts.map((artifact) => [artifact.path, artifact.sha256]));
  const listed = new Set(info.artifacts.map((artifact) => artifact.path));
  return [
    ...info.artifacts
      .filter((artifact) => built.get(artifact.path) !== artifact.sha256)
      .map((artifact) => {
        const right = built.get(artifact.path);
        const expected = right === undefined ? "a file that the build made" : `SHA-256 ${right}, as built`;
        return problem("artifact-built", expected, `${quote(artifact.path)}, SHA-256 ${artifact.sha256}`);
      }),
    ...[...built.keys()]
      .filter((file) => !listed.has(file))
      .map((file) => problem("artifact-listed", `${quote(file)}, which the build made`, "not listed")),
  ];
}

function judgeDisk(info: BenchInfo, { onDisk }: LoadedFacts): Problem[] {
  return info.artifacts.flatMap((artifact) => {
    const seen = onDisk.get(artifact.path) ?? null;
    const problems: Problem[] = [];
    if (seen?.sha256 !== artifact.sha256) {
      const right = `${artifact.path} with SHA-256 ${artifact.sha256}`;
      problems.push(problem("artifact-hash", right, seen?.sha256 ?? "no such file"));
    }
    if (seen !== null && seen.developmentSign !== null) {
      const right = `${artifact.path} built for production`;
      problems.push(problem("development-build", right, quote(seen.developmentSign)));
    }
    return problems;
  });
}

function judgeExe(
  runtime: RuntimeId,
  info: BenchInfo,
  { runtimeBinary }: LoadedFacts,
  { pid, exe }: ProcessFacts,
): Problem[] {
  if (runtime === "native") {
    const listed = info.artifacts.some(({ sha256 }) => sha256 === exe.sha256);
    return listed
      ? []
      : [
          problem(
            "loaded-exe",
            `process ${pid} runs a listed artifact`,
            `${exe.path}, SHA-256 ${exe.sha256}`,
          ),
        ];
  }
  if (runtimeBinary !== null && exe.identity === runtimeBinary.identity) return [];
  const right = runtimeBinary === null ? `the pinned ${runtime}, which isn't installed` : runtimeBinary.path;
  return [problem("loaded-exe", `process ${pid} runs ${right}`, exe.path)];
}

function judgeFiles(
  info: BenchInfo,
  { runtimeBinary }: LoadedFacts,
  { pid, files }: ProcessFacts,
): Problem[] {
  return files.flatMap((file) => {
    if (runtimeBinary !== null && file.identity === runtimeBinary.identity) return [];
    const listed = file.sha256 !== null && info.artifacts.some(({ sha256 }) => sha256 === file.sha256);
    return listed
      ? []
      : [
          problem(
            "loaded-unlisted",
            "every file loaded is listed by /bench/info",
            `process ${pid}: ${file.path}`,
          ),
        ];
  });
}
