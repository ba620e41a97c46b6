/** The family's Cargo workspace once more, on a checkout's crates in place of the registry's. */
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Crate, cargoMetadata } from "./cargo.ts";
import { LocalError } from "./errors.ts";
import { FAMILY } from "./paths.ts";
import type { LocalRecord } from "./record.ts";

/**
 * Writes the workspace as the family's is now: its crates, and its manifest with paths for what is linked. The crates
 * are copied, because a workspace's members have to lie below it; Cargo goes by their times, which are kept.
 *
 * @param crateFolders folder of each crate in the checkout, by name
 */
export async function writeWorkspace(
  folder: string,
  crateFolders: ReadonlyMap<string, string>,
): Promise<void> {
  const crates = path.join(folder, "crates");
  await mkdir(folder, { recursive: true });
  await rm(crates, { recursive: true, force: true });
  await cp(path.join(FAMILY, "crates"), crates, { recursive: true, preserveTimestamps: true });
  const manifest = onCheckout(await readFile(path.join(FAMILY, "Cargo.toml"), "utf8"), crateFolders);
  await writeFile(path.join(folder, "Cargo.toml"), manifest);
}

/**
 * A workspace's manifest with the path of each linked crate where its version stood.
 *
 * @throws LocalError where none stood there
 */
export function onCheckout(manifest: string, crateFolders: ReadonlyMap<string, string>): string {
  const used = new Set<string>();
  const text = manifest.replaceAll(/^([\w-]+) = (.*)$/gm, (line, name: string, value: string) => {
    const folder = crateFolders.get(name);
    if (folder === undefined) return line;
    used.add(name);
    // A TOML basic string has JSON's escapes.
    const source = `path = ${JSON.stringify(folder)}`;
    return `${name} = ${value.startsWith('"') ? `{ ${source} }` : value.replace(/version = "[^"]*"/, source)}`;
  });
  if (used.size > 0) return text;
  throw new LocalError(
    `${path.join(FAMILY, "Cargo.toml")} names no crate of the checkout`,
    "Name the crates under [workspace.dependencies], a line each.",
  );
}

/**
 * Resolves the workspace, from the family's own lock file: what both ask for alike keeps its version.
 *
 * @throws LocalError with what Cargo said
 */
export async function lockWorkspace(folder: string): Promise<void> {
  await cp(path.join(FAMILY, "Cargo.lock"), path.join(folder, "Cargo.lock"));
  await cargoMetadata(path.join(folder, "Cargo.toml"), []).catch((error: Error) => {
    throw new LocalError(
      `the family's crates can't be put on those of the checkout:\n${error.message}`,
      "Where the registry couldn't be reached, try again; else the checkout asks for what the adapters exclude.",
    );
  });
}

/** What the registry build has compiled of other crates serves here as well: Cargo takes what fits. */
export async function warmTarget(folder: string): Promise<void> {
  const [from, to] = [path.join(FAMILY, "target", "release"), path.join(folder, "target", "release")];
  if ((await stat(from).catch(() => null)) === null) return;
  await cp(from, to, { recursive: true, preserveTimestamps: true });
}

/** Of the workspace as it is locked: which of the linked crates don't come from the checkout; how many there are. */
export async function crateOrigins(
  folder: string,
  { checkout, packages }: LocalRecord,
): Promise<{ readonly right: readonly Crate[]; readonly wrong: readonly Crate[] }> {
  const names = new Set(packages.map(({ name }) => name));
  const crates = (await cargoMetadata(path.join(folder, "Cargo.toml"), ["--locked"])).filter(
    ({ name }) => names.has(name) || name.startsWith("microsoft-webui"),
  );
  const isRight = ({ source, manifest_path }: Crate): boolean =>
    source === null && manifest_path.startsWith(checkout + path.sep);
  return { right: crates.filter(isRight), wrong: crates.filter((crate) => !isRight(crate)) };
}
