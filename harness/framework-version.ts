/** Which version of its framework an adapter is locked to, by its manifest's `versionFrom`. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { BenchError } from "./errors.ts";
import { exists } from "./files.ts";
import { linksOf } from "./links.ts";
import type { AdapterManifest } from "./manifest.ts";
import { readIfPresent } from "./present.ts";

const lockedPackages = z.record(z.string(), z.object({ version: z.string() })).default({});
const lockfileSchema = z.object({
  importers: z.record(
    z.string(),
    z.object({
      dependencies: lockedPackages,
      devDependencies: lockedPackages,
      optionalDependencies: lockedPackages,
    }),
  ),
});

/**
 * The version that the lockfile holds for `versionFrom`:
 * - `npm:<package>`: what pnpm-lock.yaml has for the adapter's own folder, which must list the package as a dependency;
 *   the installed package must be that version.
 * - `cargo:<crate>`: what the adapter's Cargo.lock has (see `findCargoLock`), where it holds one version of the crate.
 *
 * @throws BenchError `bad-manifest` where the lockfile has no such package, `missing-tool` where another is installed
 */
export async function frameworkVersion(manifest: AdapterManifest, root: string): Promise<string> {
  const name = manifest.versionFrom.slice(manifest.versionFrom.indexOf(":") + 1);
  return manifest.versionFrom.startsWith("cargo:")
    ? await lockedCrate(manifest, root, name)
    : await lockedPackage(manifest, root, name);
}

async function lockedPackage(manifest: AdapterManifest, root: string, name: string): Promise<string> {
  const lockfile = path.join(root, "pnpm-lock.yaml");
  const { importers } = lockfileSchema.parse(parse(await readFile(lockfile, "utf8")));
  const own = importers[path.relative(root, manifest.folder).split(path.sep).join("/")];
  const locked = own && { ...own.optionalDependencies, ...own.devDependencies, ...own.dependencies }[name];
  if (!locked) {
    throw refuse(
      manifest,
      `pnpm-lock.yaml has no "${name}" for ${manifest.folder}`,
      `Add ${name} to its package.json, then: npm run setup -- --update-lockfile`,
    );
  }
  const installed = await installedVersion(path.join(manifest.folder, "node_modules", name));
  // A linked checkout has no version in the lockfile; its own is the only one there is.
  const wanted = locked.version.startsWith("link:") ? installed : withoutPeers(locked.version);
  if (installed === null || installed !== wanted) {
    throw new BenchError({
      stage: "build",
      code: "missing-tool",
      message: `${manifest.id}: ${name} ${wanted ?? locked.version} is in the lockfile, ${installed ?? "none"} is installed`,
      hint: "Install what the lockfile says: npm run setup -- --force",
    });
  }
  return installed;
}

/** `1.2.3` of `1.2.3(peer@2.0.0)`. */
function withoutPeers(version: string): string {
  return version.replace(/\(.*$/, "");
}

async function installedVersion(folder: string): Promise<string | null> {
  const text = await readIfPresent(path.join(folder, "package.json"));
  return text === null ? null : z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

async function lockedCrate(manifest: AdapterManifest, root: string, name: string): Promise<string> {
  const lockfile = await findCargoLock(manifest, root);
  if (lockfile === null) {
    throw refuse(
      manifest,
      "no Cargo.lock in its folder, above it, or in its inputs",
      'Commit one, or name its folder in "inputs".',
    );
  }
  const versions = cratesIn(await readFile(lockfile, "utf8"), name);
  const [version, ...others] = versions;
  if (version !== undefined && others.length === 0) return version;
  const held = version === undefined ? "no version" : `several versions (${versions.join(", ")})`;
  throw refuse(manifest, `${lockfile} has ${held} of ${name}`, "Name a crate that is locked once.");
}

/** The versions that the text of a Cargo.lock holds of one crate. */
export function cratesIn(cargoLock: string, name: string): string[] {
  const packages = cargoLock.matchAll(/^\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]+)"$/gm);
  return [...packages].filter(([, crate]) => crate === name).map(([, , version]) => version as string);
}

/**
 * The Cargo.lock that an adapter is built by: that of a linked checkout, where there is one; else the nearest one in its folder or above it, up to the project's root; else
 * the first found so from one of the manifest's `inputs`, in their order. Null where there is none.
 */
export async function findCargoLock(manifest: AdapterManifest, root: string): Promise<string | null> {
  const [linked] = (await linksOf(manifest, root)).flatMap(({ cargoLock }) => cargoLock ?? []);
  if (linked !== undefined) return path.join(root, linked);
  for (const start of [manifest.folder, ...manifest.inputs.map((input) => path.join(root, input))]) {
    const found = await nearest(start, "Cargo.lock", root);
    if (found !== null) return found;
  }
  return null;
}

async function nearest(start: string, name: string, root: string): Promise<string | null> {
  for (let folder = start; folder.startsWith(root); folder = path.dirname(folder)) {
    const file = path.join(folder, name);
    if (await exists(file)) return file;
    if (folder === root) break;
  }
  return null;
}

function refuse(manifest: AdapterManifest, message: string, hint: string): BenchError {
  const file = path.join(manifest.folder, "adapter.json");
  return new BenchError({
    stage: "build",
    code: "bad-manifest",
    message: `${file}: versionFrom "${manifest.versionFrom}": ${message}`,
    hint,
  });
}
