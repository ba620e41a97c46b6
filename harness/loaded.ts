/**
 * What the server's processes really run and have loaded, by `/proc`, held against what `/bench/info` says. Reading
 * is impure and apart; the judgement is a pure function.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import type { RuntimeId } from "../report/schema.ts";
import type { BenchInfo } from "../todo/contract/bench-info.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { problem, quote } from "../todo/contract/problems.ts";
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
  /** SHA-256 on disk of what `/bench/info` lists, by its path there; null where there is no such file. */
  readonly onDisk: ReadonlyMap<string, string | null>;
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
    onDisk: new Map(
      info.artifacts.map((artifact) => [artifact.path, hash(path.join(folder, artifact.path))]),
    ),
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

function sha256Of(file: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
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

/** Whether what runs is what the manifest names and `/bench/info` lists. Pure. */
export function judgeLoaded(manifest: AdapterManifest, info: BenchInfo, facts: LoadedFacts): Problem[] {
  return [
    ...judgePid(info, facts),
    ...judgeListed(manifest, info, facts),
    ...facts.processes.flatMap((one) => [
      ...judgeExe(manifest.runtime, info, facts, one),
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

function judgeListed({ artifacts }: AdapterManifest, info: BenchInfo, { onDisk }: LoadedFacts): Problem[] {
  return info.artifacts.flatMap(({ path: file, sha256 }) => {
    const declared = artifacts.some((artifact) => {
      const clean = artifact.replace(/\/+$/, "");
      return file === clean || file.startsWith(`${clean}/`);
    });
    const problems: Problem[] = [];
    if (!declared) {
      problems.push(problem("artifact-undeclared", "a path below the manifest's artifacts", quote(file)));
    }
    const seen = onDisk.get(file) ?? null;
    if (seen !== sha256) {
      problems.push(problem("artifact-hash", `${file} with SHA-256 ${sha256}`, seen ?? "no such file"));
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
