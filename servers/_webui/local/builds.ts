/** What the family's builds take from where: the registry, or the checkout that is linked. */
import path from "node:path";
import { ADDON, FAMILY, LINK } from "./paths.ts";
import { type LinkedPackage, type LocalRecord, readRecord } from "./record.ts";
import { writeWorkspace } from "./workspace.ts";

export interface Sources {
  /** The folder of the Cargo workspace to build, with its `target`. */
  readonly workspace: string;
  /** The checkout's addon for Node, Bun and Deno; null where the workspace builds one. */
  readonly linkedAddon: string | null;
  /** Folder of the framework's client package; null where there is none. */
  readonly framework: string | null;
}

/** Where to build from. What is linked has its workspace brought up to date with the family's crates. */
export async function readSources(): Promise<Sources> {
  const record = readRecord(LINK);
  if (record === null) return { workspace: FAMILY, linkedAddon: null, framework: null };
  await writeWorkspace(LINK.workspace, crateFolders(record));
  const framework = record.packages.find(({ name }) => name === "@microsoft/webui-framework");
  return {
    workspace: LINK.workspace,
    linkedAddon: path.join(LINK.copies, ADDON),
    framework: framework === undefined ? null : path.join(LINK.copies, folderOf(framework, "package.json")),
  };
}

function crateFolders({ checkout, packages }: LocalRecord): Map<string, string> {
  const crates = packages.filter(({ files }) => files.some((file) => file.path.endsWith("/Cargo.toml")));
  return new Map(crates.map((crate) => [crate.name, path.join(checkout, folderOf(crate, "Cargo.toml"))]));
}

/** The folder that a package's manifest is in, relative to the checkout; the workspace's own, at the top, isn't one. */
function folderOf({ name, files }: LinkedPackage, manifest: string): string {
  const file = files.find((one) => one.path.endsWith(`/${manifest}`));
  if (file === undefined) throw new TypeError(`${name} was linked without its ${manifest}`);
  return path.posix.dirname(file.path);
}
