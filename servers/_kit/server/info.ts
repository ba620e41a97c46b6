/** What `/bench/info` says: which build runs where. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { ResponseMode } from "./arguments.ts";

export interface ArtifactHash {
  /** Relative to the adapter's folder, with forward slashes. */
  readonly path: string;
  readonly sha256: string;
}

export interface ServerInfo {
  readonly adapter: string;
  readonly responseMode: ResponseMode;
  readonly runtime: "node" | "bun" | "deno";
  readonly runtimeVersion: string;
  readonly pid: number;
  readonly frameworkVersion: string;
  readonly artifacts: readonly ArtifactHash[];
}

/**
 * What a framework's own server says on Node, which is started in the adapter's folder.
 *
 * @param manifest the adapter's
 */
export function infoOnNode(
  manifest: { readonly id: string; readonly artifacts: readonly string[] },
  frameworkVersion: string,
  responseMode: ResponseMode,
): ServerInfo {
  return {
    adapter: manifest.id,
    responseMode,
    runtime: "node",
    runtimeVersion: process.versions.node,
    pid: process.pid,
    frameworkVersion,
    artifacts: hashArtifacts(process.cwd(), manifest.artifacts),
  };
}

/**
 * SHA-256 of every file that `artifacts` names, folders included with all that is in them, sorted by path.
 *
 * @param folder the adapter's folder
 * @param artifacts files and folders relative to it
 * @throws Error `ENOENT` where one doesn't exist
 */
export function hashArtifacts(folder: string, artifacts: readonly string[]): ArtifactHash[] {
  return artifacts
    .flatMap((artifact) => filesOf(path.join(folder, artifact)))
    .map((file) => ({
      path: path.relative(folder, file).split(path.sep).join("/"),
      sha256: createHash("sha256").update(readFileSync(file)).digest("hex"),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filesOf(target: string): string[] {
  if (statSync(target).isFile()) return [target];
  return readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
