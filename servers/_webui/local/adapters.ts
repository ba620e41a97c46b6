/** The adapters that are built from this family: found, built, and put back as they were. */
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { withCommand } from "./command.ts";
import { FAMILY, type LinkFolder, ROOT } from "./paths.ts";

const SERVERS = path.dirname(FAMILY);
/** The family, as the adapters' manifests name it. */
export const FAMILY_INPUT = path.relative(ROOT, FAMILY).split(path.sep).join("/");

const manifestSchema = z.object({
  id: z.string(),
  runtime: z.string(),
  inputs: z.array(z.string()).default([]),
});

export type Adapter = z.infer<typeof manifestSchema>;

/** Sorted by id. */
export async function familyAdapters(): Promise<Adapter[]> {
  const names = (await readdir(SERVERS)).filter((name) => !name.startsWith("_")).sort();
  const found = await Promise.all(names.map(readManifest));
  return found.filter((adapter) => adapter?.inputs.includes(FAMILY_INPUT)).filter((one) => one !== null);
}

async function readManifest(name: string): Promise<Adapter | null> {
  const text = await readFile(path.join(SERVERS, name, "adapter.json"), "utf8").catch(() => null);
  return text === null ? null : manifestSchema.parse(JSON.parse(text));
}

/** What a build leaves of an adapter, each with the name that it is kept under. */
function builtPaths(id: string): readonly { readonly path: string; readonly kept: string }[] {
  return [
    { path: path.join(SERVERS, id, "dist"), kept: "dist" },
    { path: path.join(ROOT, ".cache", "builds", `${id}.json`), kept: "record.json" },
  ];
}

const AS_IT_IS = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;

/** Copies what is built of every adapter, so that it can be put back. */
export async function keepBuilds({ before }: LinkFolder): Promise<void> {
  for (const { id } of await familyAdapters()) {
    await mkdir(path.join(before, id), { recursive: true });
    for (const { path: from, kept } of builtPaths(id)) await copyIfThere(from, path.join(before, id, kept));
  }
}

/** Puts back what was built when the adapters were linked; what wasn't built then isn't now. */
export async function restoreBuilds({ before }: LinkFolder): Promise<void> {
  for (const { id } of await familyAdapters()) {
    for (const { path: to, kept } of builtPaths(id)) {
      await rm(to, { recursive: true, force: true });
      await copyIfThere(path.join(before, id, kept), to);
    }
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await cp(from, to, AS_IT_IS).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** Builds one adapter with the suite's own command, whose output the person sees. @returns whether it went well */
export async function buildAdapter(id: string, signal: AbortSignal): Promise<boolean> {
  return await withCommand(["build.ts", "--only", id], "inherit", signal, async (_, exited) => {
    return (await exited) === 0;
  });
}
