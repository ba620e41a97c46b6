/** What a build left behind for the server to load, by path, size and SHA-256. */
import { createHash } from "node:crypto";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import path from "node:path";
import type { Artifact } from "../report/schema.ts";
import { BenchError } from "./errors.ts";
import type { AdapterManifest } from "./manifest.ts";
import { isAbsent } from "./present.ts";
import { buildHint } from "./tools.ts";

/**
 * Every file at or below the manifest's `artifacts`, sorted by path; paths are relative to the adapter's folder. A
 * symbolic link inside a folder counts by where it points.
 *
 * @throws BenchError `build-failed` where one of them is missing or empty
 */
export async function hashArtifacts(manifest: AdapterManifest): Promise<Artifact[]> {
  const found = await Promise.all(manifest.artifacts.map((entry) => hashEntry(manifest, entry)));
  return found.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function hashEntry(manifest: AdapterManifest, entry: string): Promise<Artifact[]> {
  const absolute = path.join(manifest.folder, entry);
  const kind = await stat(absolute).catch((error: unknown) => {
    if (isAbsent(error)) throw refuse(manifest, entry, "is missing");
    throw error;
  });
  const artifacts = kind.isDirectory()
    ? await hashFolder(manifest, absolute)
    : [await hashFile(manifest, absolute)];
  if (artifacts.every((artifact) => artifact.bytes === 0)) throw refuse(manifest, entry, "is empty");
  return artifacts;
}

async function hashFolder(manifest: AdapterManifest, folder: string): Promise<Artifact[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const absolute = path.join(folder, entry.name);
      if (entry.isDirectory()) return await hashFolder(manifest, absolute);
      if (entry.isSymbolicLink())
        return [asArtifact(manifest, absolute, Buffer.from(await readlink(absolute)))];
      return [await hashFile(manifest, absolute)];
    }),
  );
  return found.flat();
}

async function hashFile(manifest: AdapterManifest, absolute: string): Promise<Artifact> {
  return asArtifact(manifest, absolute, await readFile(absolute));
}

function asArtifact(manifest: AdapterManifest, absolute: string, content: Buffer): Artifact {
  return {
    path: path.relative(manifest.folder, absolute).split(path.sep).join("/"),
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: content.length,
  };
}

function refuse(manifest: AdapterManifest, entry: string, fault: string): BenchError {
  return new BenchError({
    stage: "build",
    code: "build-failed",
    message: `${manifest.id}: its artifact ${entry} ${fault}`,
    hint: `${buildHint([manifest.id])} – and if that is what you did, correct "artifacts" or "build" in ${path.join(manifest.folder, "adapter.json")}`,
  });
}
