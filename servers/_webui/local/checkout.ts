/** Whether a folder is a checkout of WebUI with everything built that is to be measured; nothing in it is changed. */
import { execFile } from "node:child_process";
import { access, constants, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type Crate, cargoMetadata, closure, isAtLeast, rustVersion } from "./cargo.ts";
import { LocalError } from "./errors.ts";
import { filesBelow, hashFiles } from "./files.ts";
import { gitState } from "./git.ts";
import { ADDON, COMMAND_LINE } from "./paths.ts";
import type { LinkedPackage, LocalRecord } from "./record.ts";

const run = promisify(execFile);

/** The crates that the family's own are compiled against. */
const CRATES = ["microsoft-webui", "microsoft-webui-node"];
/** The folders of npm packages that a client is bundled from, or that load the addon; a checkout may lack some. */
const PACKAGES = ["packages/webui", "packages/webui-framework", "packages/webui-router"];

/** Folders of a crate that hold nothing which is compiled into another crate. */
const NOT_COMPILED = /^(?:target|node_modules|tests|benches|examples|\..*)$/;

/** A checkout that can be linked. */
export interface Checkout extends Pick<LocalRecord, "revision" | "dirty" | "reason"> {
  /** Absolute, without symbolic links. */
  readonly root: string;
  /** Folder of each crate that the family names, by the crate's name. */
  readonly crateFolders: ReadonlyMap<string, string>;
  /** Compiled from source. */
  readonly crates: readonly LinkedPackage[];
  /** Used as they were built: npm packages, addon, command line. */
  readonly outputs: readonly LinkedPackage[];
}

/** Something that the checkout lacks, and what its own documents call for. */
interface Missing {
  readonly what: string;
  readonly remedy: string;
}

const ASKED = "npm run webui:local -- --path FOLDER";

/**
 * @param folder as the person typed it
 * @throws LocalError where it is no checkout (2), or can't be linked as it stands (1), with everything that it lacks
 */
export async function readCheckout(folder: string): Promise<Checkout> {
  const root = await resolveFolder(folder);
  const all = await readCrates(root);
  const crates = closure(all, CRATES);
  await assertCompilable(root, crates);
  const packages = await Promise.all(PACKAGES.map((one) => readPackage(root, one)));
  const version = crates.find(({ name }) => name === CRATES[0])?.version ?? "unknown";
  const missing = [
    ...packages.flatMap((one) => one?.missing ?? []),
    ...(await missingBinary(root, ADDON, ADDON_REMEDY, probeAddon)),
    ...(await missingBinary(root, COMMAND_LINE, COMMAND_LINE_REMEDY, probeCommandLine)),
  ];
  if (missing.length > 0) throw lacking(root, missing);
  return {
    root,
    ...(await gitState(root)),
    crateFolders: new Map(crates.map((crate) => [crate.name, path.dirname(crate.manifest_path)])),
    crates: await Promise.all(crates.map((crate) => sourcesOf(root, crate))),
    outputs: await Promise.all([
      ...packages
        .filter((one) => one !== null)
        .map(({ name, version, files }) => linked(root, name, version, files)),
      linked(root, "WebUI addon", version, [ADDON]),
      linked(root, "WebUI command line", version, [COMMAND_LINE]),
    ]),
  };
}

async function resolveFolder(folder: string): Promise<string> {
  const absolute = path.resolve(folder);
  const kind = await stat(absolute).catch((error: NodeJS.ErrnoException) => error);
  if (kind instanceof Error) {
    const why = kind.code === "ENOENT" ? "there is no such folder" : kind.message;
    throw new LocalError(`--path ${absolute}: ${why}`, `Name a checkout of microsoft/webui: ${ASKED}`, 2);
  }
  if (!kind.isDirectory()) {
    throw new LocalError(
      `--path ${absolute}: it is no folder`,
      `Name a checkout of microsoft/webui: ${ASKED}`,
      2,
    );
  }
  await access(absolute, constants.R_OK | constants.X_OK).catch((error: Error) => {
    throw new LocalError(
      `--path ${absolute} can't be read: ${error.message}`,
      "Mend the folder's rights.",
      2,
    );
  });
  return await realpath(absolute);
}

async function readCrates(root: string): Promise<Crate[]> {
  const refuse = (why: string): LocalError =>
    new LocalError(
      `${root} isn't a checkout of WebUI: ${why}`,
      `Name the folder that git cloned microsoft/webui into: ${ASKED}`,
      2,
    );
  const manifest = path.join(root, "Cargo.toml");
  if ((await stat(manifest).catch(() => null)) === null) throw refuse("it has no Cargo.toml");
  const crates = await cargoMetadata(manifest, ["--no-deps"]).catch((error: Error) => {
    throw refuse(`cargo metadata fails there:\n${error.message}`);
  });
  for (const name of CRATES) {
    const crate = crates.find((one) => one.name === name);
    if (crate === undefined) throw refuse(`its workspace has no crate ${name}`);
    if (crate.source !== null) throw refuse(`its crate ${name} comes from ${crate.source}`);
  }
  return crates;
}

/** @throws LocalError where the compiler is older than one of the crates asks for */
async function assertCompilable(root: string, crates: readonly Crate[]): Promise<void> {
  const compiler = await rustVersion();
  const workspace = /^rust-version\s*=\s*"([^"]+)"/m.exec(
    await readFile(path.join(root, "Cargo.toml"), "utf8"),
  );
  const asked = [workspace?.[1], ...crates.map((crate) => crate.rust_version)];
  const newer = asked.find((wanted) => wanted && !isAtLeast(compiler, wanted));
  if (!newer) return;
  throw new LocalError(
    `the crates of ${root} ask for Rust ${newer} or newer, and the adapters are compiled with ${compiler}`,
    "Install it (rustup update stable), or check out a revision that asks for less.",
  );
}

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), z.unknown()).default({}),
});

interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** Its package.json and all of its `dist`. */
  readonly files: readonly string[];
  readonly missing: readonly Missing[];
}

/** Null where the checkout has no such package. */
async function readPackage(root: string, folder: string): Promise<NpmPackage | null> {
  const manifest = `${folder}/package.json`;
  const text = await readFile(path.join(root, manifest), "utf8").catch(nullIfAbsent);
  if (text === null) return null;
  const { name, version, exports } = packageSchema.parse(JSON.parse(text));
  const dist = (await filesBelow(root, `${folder}/dist`).catch(nullIfAbsent)) ?? [];
  const wanted = [...JSON.stringify(exports).matchAll(/"\.\/(dist\/[^"]+\.js)"/g)].map(
    ([, file]) => `${folder}/${file}`,
  );
  const missing = wanted
    .filter((file) => !dist.includes(file))
    .map((what) => ({ what, remedy: "pnpm install && pnpm build (the scripts of its package.json)" }));
  return { name, version, files: [manifest, ...dist], missing };
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

const ADDON_REMEDY = "cargo build -p microsoft-webui-node --release (docs/guide/integrations)";
const COMMAND_LINE_REMEDY = "cargo build -p microsoft-webui-cli --release (README.md)";

async function missingBinary(
  root: string,
  file: string,
  remedy: string,
  probe: (absolute: string) => Promise<void>,
): Promise<Missing[]> {
  const absolute = path.join(root, file);
  if ((await stat(absolute).catch(nullIfAbsent)) === null) return [{ what: file, remedy }];
  try {
    await probe(absolute);
    return [];
  } catch (error) {
    const why = lastWords(error as Error & { stderr?: string });
    return [{ what: `${file} that runs on this machine (${why})`, remedy }];
  }
}

/** The line that says it, of what a program printed before it failed. */
function lastWords({ message, stderr = "" }: Error & { stderr?: string }): string {
  const lines = (stderr || message).split("\n").map((line) => line.trim());
  return lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== "") ?? message;
}

/** In a process of its own: an addon that ends it ends nothing else. */
async function probeAddon(file: string): Promise<void> {
  const script = `const m = { exports: {} }; process.dlopen(m, process.argv[1]);
    for (const name of ["build", "Protocol"]) if (typeof m.exports[name] !== "function") throw new Error("it has no " + name);`;
  await run(process.execPath, ["-e", script, file]);
}

async function probeCommandLine(file: string): Promise<void> {
  await run(file, ["--help"]);
}

function lacking(root: string, missing: readonly Missing[]): LocalError {
  const lines = missing.map(({ what, remedy }) => `  ${what}: ${remedy}`);
  return new LocalError(
    `${root} lacks:\n${lines.join("\n")}`,
    "Build these there, as its documents say; webui:local changes nothing in a checkout.",
  );
}

/** A crate, with its sources, and the workspace's manifest that it inherits from. */
async function sourcesOf(root: string, { name, version, manifest_path }: Crate): Promise<LinkedPackage> {
  const folder = path.relative(root, path.dirname(manifest_path)).split(path.sep).join("/");
  return await linked(root, name, version, ["Cargo.toml", ...(await filesBelow(root, folder, NOT_COMPILED))]);
}

async function linked(
  root: string,
  name: string,
  version: string,
  files: readonly string[],
): Promise<LinkedPackage> {
  return { name, version, files: await hashFiles(root, files) };
}
