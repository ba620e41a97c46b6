/** Cargo, asked what a workspace is made of. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { FAMILY } from "./paths.ts";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 256 * 2 ** 20;

const metadataSchema = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** Null for what is compiled from a folder. */
      source: z.string().nullable(),
      rust_version: z.string().nullable(),
      manifest_path: z.string(),
      dependencies: z.array(
        z.object({ name: z.string(), kind: z.string().nullable(), path: z.string().optional() }),
      ),
    }),
  ),
});

export type Crate = z.infer<typeof metadataSchema>["packages"][number];

/**
 * The packages of a workspace; its dependencies too unless `flags` has `--no-deps`. Cargo runs in the family's folder,
 * so that the compiler is the one that builds the adapters, whatever the workspace pins for itself.
 *
 * @throws with what cargo printed
 */
export async function cargoMetadata(manifest: string, flags: readonly string[]): Promise<Crate[]> {
  const args = ["metadata", "--format-version", "1", "--manifest-path", manifest, ...flags];
  const { stdout } = await run("cargo", args, { cwd: FAMILY, maxBuffer: MAX_OUTPUT_BYTES });
  return metadataSchema.parse(JSON.parse(stdout)).packages;
}

/** `1.95.0`: the compiler that builds the adapters. */
export async function rustVersion(): Promise<string> {
  const { stdout } = await run("rustc", ["--version"], { cwd: FAMILY });
  return stdout.split(" ")[1] ?? stdout;
}

/** True where `version` is at least `wanted`; both as `1.95` or `1.95.0`, what follows a hyphen left aside. */
export function isAtLeast(version: string, wanted: string): boolean {
  const numbers = (text: string): number[] => (text.split("-")[0] as string).split(".").map(Number);
  const [have, want] = [numbers(version), numbers(wanted)];
  for (const [index, part] of want.entries()) {
    const own = have[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

/** The crates named, and those of the same workspace that they are compiled from, sorted by name. */
export function closure(crates: readonly Crate[], names: readonly string[]): Crate[] {
  const found = new Map<string, Crate>();
  const add = (name: string): void => {
    const crate = crates.find((one) => one.name === name);
    if (crate === undefined || found.has(name)) return;
    found.set(name, crate);
    for (const { name: needed, kind, path } of crate.dependencies) {
      if (path !== undefined && kind !== "dev") add(needed);
    }
  };
  names.forEach(add);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
