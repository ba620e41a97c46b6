/**
 * The programs that run adapters: the pinned runtimes' real binaries, and the paths that commands are looked up in.
 * `node_modules/.bin` holds shell and JavaScript wrappers for some of them; a measured process must be none of those.
 */
import { accessSync, constants, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { BenchError } from "./errors.ts";
import type { AdapterManifest } from "./manifest.ts";
import { PROJECT_ROOT } from "./project.ts";

/** Where each runtime's package keeps its binary, relative to the project's root. */
const RUNTIME_BINARIES = {
  node: "node_modules/node/bin/node",
  bun: "node_modules/bun/bin/bun.exe",
  deno: "node_modules/deno/deno",
} as const;

export type PinnedRuntime = keyof typeof RUNTIME_BINARIES;

export const PINNED_RUNTIMES = Object.keys(RUNTIME_BINARIES) as PinnedRuntime[];

export function isPinnedRuntime(program: string): program is PinnedRuntime {
  return Object.hasOwn(RUNTIME_BINARIES, program);
}

/** Absolute path of a pinned runtime's real binary. @throws BenchError `missing-tool` where it isn't installed */
export function runtimeBinary(runtime: PinnedRuntime): string {
  const file = path.join(PROJECT_ROOT, RUNTIME_BINARIES[runtime]);
  if (isExecutable(file)) return file;
  throw new BenchError({
    stage: "setup",
    code: "missing-tool",
    message: `the pinned ${runtime} isn't installed: ${file} is missing or can't be executed`,
    hint: "Install it: npm run setup",
  });
}

/** True for a file that may be executed. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Missing, forbidden, or behind something that isn't a folder: not a program either way.
    return false;
  }
}

/** `PATH` for an adapter's own commands: its packages first, then the root's, then the person's. */
export function commandPath(folder: string): string {
  return [
    path.join(folder, "node_modules", ".bin"),
    path.join(PROJECT_ROOT, "node_modules", ".bin"),
    personsPath(),
  ].join(path.delimiter);
}

/** The person's `PATH`, and the folder where rustup puts cargo: a shell opened before the install lacks it. */
function personsPath(): string {
  return [process.env.PATH ?? "", path.join(os.homedir(), ".cargo", "bin")].join(path.delimiter);
}

/** Absolute path of a program on the person's `PATH`, in a folder that is `among` those meant; or null. */
export function findProgram(name: string, among: (folder: string) => boolean = () => true): string | null {
  const folders = personsPath()
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && among(folder));
  return folders.map((folder) => path.join(folder, name)).find(isExecutable) ?? null;
}

export interface StartCommand {
  /** Absolute path of a real binary. */
  readonly file: string;
  readonly args: readonly string[];
  /** The manifest's own variables only. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command that starts an adapter's server, to be run in the adapter's folder.
 *
 * @throws BenchError `missing-tool` where the runtime isn't installed, `not-built` where the adapter's own binary isn't there
 */
export function resolveStart(
  manifest: AdapterManifest,
  address: { readonly host: string; readonly port: number },
): StartCommand {
  const fill = (text: string): string =>
    text.replaceAll("{host}", address.host).replaceAll("{port}", String(address.port));
  const [program, ...args] = manifest.start;
  const env = Object.entries(manifest.env).map(([name, value]) => [name, fill(value)]);
  return {
    file: isPinnedRuntime(program) ? runtimeBinary(program) : ownBinary(manifest, program),
    args: args.map(fill),
    env: Object.fromEntries(env),
  };
}

function ownBinary(manifest: AdapterManifest, program: string): string {
  const file = path.resolve(manifest.folder, program);
  if (isExecutable(file)) return file;
  throw new BenchError({
    stage: "start",
    code: "not-built",
    message: `${manifest.id}: its server ${file} is missing or can't be executed`,
    hint: buildHint([manifest.id]),
  });
}

/** What to type to build these adapters. */
export function buildHint(ids: readonly string[]): string {
  return `Build it: npm run build -- --only ${ids.join(",")}`;
}

/** True where the adapter's build needs Rust: it calls cargo, or compiles its framework's crate. */
export function needsRust({ build, versionFrom }: AdapterManifest): boolean {
  return versionFrom.startsWith("cargo:") || build.some(([program]) => program === "cargo");
}
