/**
 * Builds adapters, and says for a run whether they are built: from which inputs, into which artifacts. A record per
 * adapter in `.cache/builds/` ties the two together, so that what is measured is what stands in the folder.
 */
import { createHash } from "node:crypto";
import os from "node:os";
import path from "node:path";
import { ExecaError, execa } from "execa";
import { z } from "zod";
import { type Artifact, artifactSchema } from "../report/schema.ts";
import { hashArtifacts } from "./artifacts.ts";
import { BenchError } from "./errors.ts";
import { exists, writeAtomically } from "./files.ts";
import { findCargoLock, frameworkVersion } from "./framework-version.ts";
import { assertIntact, type LinkRecord, linksOf } from "./links.ts";
import { withLock } from "./lock.mjs";
import type { AdapterManifest, Argv } from "./manifest.ts";
import { readIfPresent } from "./present.ts";
import { PROJECT_ROOT } from "./project.ts";
import { digestFiles, sourceFiles } from "./source-files.ts";
import { buildHint, commandPath, findProgram, isPinnedRuntime, needsRust, runtimeBinary } from "./tools.ts";

/** Inputs that every adapter has, relative to the project's root. The lockfile pins runtimes and packages. */
const COMMON_INPUTS = ["servers/_kit", "todo/contract/data.ts", "pnpm-lock.yaml"];
/** Raised when the way of building changes, so that what was built in the old way is built again. */
const RECORD_VERSION = 1;
const LAST_LINES = 30;
const KILL_DELAY_MS = 5_000;

const recordSchema = z.strictObject({
  recordVersion: z.literal(RECORD_VERSION),
  /** Over all inputs of the build, and its commands. */
  inputsDigest: z.string(),
  /** The compiler's version line; null where the build needs none beside the pinned runtimes. */
  toolchain: z.string().nullable(),
  frameworkVersion: z.string(),
  builtAtMs: z.int(),
  durationMs: z.number(),
  artifacts: z.array(artifactSchema),
});
type BuildRecord = z.infer<typeof recordSchema>;

/** An adapter whose artifacts are those that its present inputs made. */
export interface BuiltAdapter {
  readonly manifest: AdapterManifest;
  /** Sorted by path, which is relative to the adapter's folder. */
  readonly artifacts: readonly Artifact[];
  /** From the lockfile. */
  readonly frameworkVersion: string;
  /** The checkouts that it is built against, where released packages would be. */
  readonly links: readonly LinkRecord[];
  /** Wall clock, ms since the epoch. */
  readonly builtAtMs: number;
}

/** What happens to one adapter; `current`: nothing to do. */
export type BuildEvent = { readonly adapter: string } & (
  | { readonly kind: "started" }
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "output"; readonly line: string }
  | { readonly kind: "current" }
  | { readonly kind: "built"; readonly durationMs: number }
  | { readonly kind: "failed"; readonly error: BenchError }
);

export interface BuildOptions {
  /** Builds also what is built already. */
  readonly force?: boolean;
  readonly onEvent: (event: BuildEvent) => void;
  /** Ends the commands that run; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Another project than this one, for tests. */
  readonly root?: string;
}

/**
 * Builds those that aren't built from their present inputs. Several at a time where there are CPUs for it; those of one
 * cargo workspace one after another. All are tried before the first failure is thrown.
 *
 * @returns in the order of `manifests`
 * @throws BenchError `build-failed`, `missing-tool`, `bad-manifest`
 */
export async function buildAdapters(
  manifests: readonly AdapterManifest[],
  options: BuildOptions,
): Promise<BuiltAdapter[]> {
  const root = options.root ?? PROJECT_ROOT;
  const built = new Map<string, BuiltAdapter>();
  const failures: BenchError[] = [];
  const buildLane = async (lane: readonly AdapterManifest[]): Promise<void> => {
    for (const manifest of lane) {
      try {
        built.set(manifest.id, await buildOne(manifest, root, options));
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof BenchError)) throw error;
        failures.push(error);
        options.onEvent({ adapter: manifest.id, kind: "failed", error });
      }
    }
  };
  await eachLimited(await intoLanes(manifests, root), os.availableParallelism(), buildLane);
  if (failures.length > 0) throw joinFailures(failures);
  return manifests.map((manifest) => built.get(manifest.id) as BuiltAdapter);
}

/**
 * What was built, for a run; builds nothing.
 *
 * @throws BenchError `not-built` where there is no record, an input has changed since, or an artifact isn't the recorded
 *   one; `link-changed` where a linked checkout isn't what it was when it was linked
 */
export async function readBuilt(
  manifest: AdapterManifest,
  root: string = PROJECT_ROOT,
): Promise<BuiltAdapter> {
  const links = await intactLinks(manifest, root);
  const record = await readRecord(manifest, root);
  if (record === null) throw notBuilt(manifest, `${manifest.id}: it hasn't been built`);
  const fault = await staleness(manifest, root, record);
  if (fault !== null) throw notBuilt(manifest, fault);
  return asBuilt(manifest, record, links);
}

async function intactLinks(manifest: AdapterManifest, root: string): Promise<LinkRecord[]> {
  const links = await linksOf(manifest, root);
  for (const link of links) await assertIntact(link);
  return links;
}

function notBuilt(manifest: AdapterManifest, fault: string): BenchError {
  return new BenchError({
    stage: "build",
    code: "not-built",
    message: fault,
    hint: buildHint([manifest.id]),
  });
}

/** Adapters that share a cargo workspace are in one lane, built in turn; every other one has a lane to itself. */
async function intoLanes(manifests: readonly AdapterManifest[], root: string): Promise<AdapterManifest[][]> {
  const lanes = new Map<string, AdapterManifest[]>();
  for (const manifest of manifests) {
    const workspace = needsRust(manifest) ? await findCargoLock(manifest, root) : null;
    const key = workspace ?? manifest.folder;
    lanes.set(key, [...(lanes.get(key) ?? []), manifest]);
  }
  return [...lanes.values()];
}

async function eachLimited<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

function joinFailures(failures: readonly BenchError[]): BenchError {
  const [first] = failures as [BenchError];
  if (failures.length === 1) return first;
  return new BenchError({
    stage: first.stage,
    code: first.code,
    message: failures.map((failure) => failure.message).join("\n"),
    hint: [...new Set(failures.map((failure) => failure.hint))].join("\n  "),
    cause: first,
  });
}

/** Under a lock, so that two commands at once don't write into one folder; the second finds it built. */
function buildOne(manifest: AdapterManifest, root: string, options: BuildOptions): Promise<BuiltAdapter> {
  const wait = (): void =>
    options.onEvent({ adapter: manifest.id, kind: "output", line: "another build of it runs; waiting" });
  return withLock(
    `build ${manifest.folder}`,
    wait,
    () => buildUnlessCurrent(manifest, root, options),
    options.signal,
  );
}

async function buildUnlessCurrent(
  manifest: AdapterManifest,
  root: string,
  { force = false, onEvent, signal }: BuildOptions,
): Promise<BuiltAdapter> {
  signal.throwIfAborted();
  const links = await intactLinks(manifest, root);
  const version = await frameworkVersion(manifest, root);
  const toolchain = needsRust(manifest) ? await rustVersion(manifest) : null;
  const earlier = force ? null : await readRecord(manifest, root);
  if (earlier?.toolchain === toolchain && (await staleness(manifest, root, earlier)) === null) {
    onEvent({ adapter: manifest.id, kind: "current" });
    return asBuilt(manifest, earlier, links);
  }

  onEvent({ adapter: manifest.id, kind: "started" });
  const startedAtMs = performance.now();
  // Taken before the build: what changes while it runs isn't in it, and then has to be built again.
  const inputsDigest = await digestInputs(manifest, root);
  for (const command of manifest.build) await runCommand(manifest, command, onEvent, signal);
  const record: BuildRecord = {
    recordVersion: RECORD_VERSION,
    inputsDigest,
    toolchain,
    frameworkVersion: version,
    builtAtMs: Date.now(),
    durationMs: performance.now() - startedAtMs,
    artifacts: await hashArtifacts(manifest),
  };
  await writeAtomically(recordFile(manifest, root), `${JSON.stringify(record, null, 2)}\n`);
  onEvent({ adapter: manifest.id, kind: "built", durationMs: record.durationMs });
  return asBuilt(manifest, record, links);
}

async function runCommand(
  manifest: AdapterManifest,
  [program, ...args]: Argv,
  onEvent: BuildOptions["onEvent"],
  signal: AbortSignal,
): Promise<void> {
  const command = [program, ...args].join(" ");
  onEvent({ adapter: manifest.id, kind: "command", command });
  const last: string[] = [];
  try {
    const subprocess = execa(isPinnedRuntime(program) ? runtimeBinary(program) : program, args, {
      cwd: manifest.folder,
      env: buildEnv(manifest),
      stdin: "ignore",
      all: true,
      buffer: false,
      cancelSignal: signal,
      killDescendants: true,
      forceKillAfterDelay: KILL_DELAY_MS,
    });
    for await (const line of subprocess.iterable({ from: "all" })) {
      last.push(line);
      if (last.length > LAST_LINES) last.shift();
      onEvent({ adapter: manifest.id, kind: "output", line });
    }
    await subprocess;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExecaError)) throw error;
    throw commandFailed(manifest, command, error, last);
  }
}

function buildEnv(manifest: AdapterManifest): Record<string, string> {
  return {
    PATH: commandPath(manifest.folder),
    NODE_ENV: "production",
    CI: "1",
    NO_COLOR: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
  };
}

function commandFailed(
  manifest: AdapterManifest,
  command: string,
  error: ExecaError,
  last: readonly string[],
): BenchError {
  if (error.code === "ENOENT") {
    return new BenchError({
      stage: "build",
      code: "missing-tool",
      message: `${manifest.id}: \`${command}\` can't be started: there is no such program`,
      hint: "See what is missing: npm run doctor",
      cause: error,
    });
  }
  const how = error.signal === undefined ? `exit code ${error.exitCode}` : `signal ${error.signal}`;
  const said = last.length === 0 ? "it printed nothing" : `it last printed:\n${last.join("\n")}`;
  return new BenchError({
    stage: "build",
    code: "build-failed",
    message: `${manifest.id}: \`${command}\` in ${manifest.folder} ended with ${how}; ${said}`,
    hint: `Correct that, then: ${buildHint([manifest.id]).replace(/^.*?: /, "")}`,
    cause: error,
  });
}

/** @throws BenchError `missing-tool` */
async function rustVersion(manifest: AdapterManifest): Promise<string> {
  const rustc = findProgram("rustc");
  if (rustc === null || findProgram("cargo") === null) {
    throw new BenchError({
      stage: "build",
      code: "missing-tool",
      message: `${manifest.id} is built with Rust, and there is none on this machine`,
      hint: "Install Rust 1.95 or newer with rustup, or leave it out with --skip.",
    });
  }
  // In the adapter's folder, where a rust-toolchain file may choose another one.
  return (await execa(rustc, ["--version"], { cwd: manifest.folder })).stdout;
}

/** @throws BenchError `bad-manifest` where an input doesn't exist */
async function digestInputs(manifest: AdapterManifest, root: string): Promise<string> {
  for (const input of manifest.inputs) {
    if (await exists(path.join(root, input))) continue;
    throw new BenchError({
      stage: "build",
      code: "bad-manifest",
      message: `${path.join(manifest.folder, "adapter.json")}: inputs: there is no ${input} in the project`,
      hint: 'Paths in "inputs" are relative to the project\'s root.',
    });
  }
  const cargoLock = needsRust(manifest) ? await findCargoLock(manifest, root) : null;
  const paths = [manifest.folder, cargoLock]
    .filter((file) => file !== null)
    .map((file) => path.relative(root, file));
  const files = await sourceFiles(root, [...paths, ...manifest.inputs, ...COMMON_INPUTS]);
  return createHash("sha256")
    .update(JSON.stringify([RECORD_VERSION, manifest.build, ...(await linksOf(manifest, root))]))
    .update(await digestFiles(root, files))
    .digest("hex");
}

/** Why a record doesn't hold any more, or null. */
async function staleness(
  manifest: AdapterManifest,
  root: string,
  record: BuildRecord,
): Promise<string | null> {
  if ((await digestInputs(manifest, root)) !== record.inputsDigest)
    return `${manifest.id}: its source has changed since it was built, or what it is linked to`;
  const present = await hashArtifacts(manifest).catch((error: unknown) => {
    if (error instanceof BenchError) return error;
    throw error;
  });
  if (present instanceof BenchError) return present.message;
  const differing = firstDifference(record.artifacts, present);
  return differing === null ? null : `${manifest.id}: ${differing} isn't what the build made`;
}

function firstDifference(recorded: readonly Artifact[], present: readonly Artifact[]): string | null {
  const left = new Map(present.map((artifact) => [artifact.path, artifact.sha256]));
  for (const { path: file, sha256 } of recorded) {
    if (left.get(file) !== sha256) return file;
    left.delete(file);
  }
  return left.keys().next().value ?? null;
}

function asBuilt(manifest: AdapterManifest, record: BuildRecord, links: readonly LinkRecord[]): BuiltAdapter {
  const { artifacts, frameworkVersion: version, builtAtMs } = record;
  return { manifest, artifacts, frameworkVersion: version, links, builtAtMs };
}

function recordFile(manifest: AdapterManifest, root: string): string {
  return path.join(root, ".cache", "builds", `${manifest.id}.json`);
}

/** Null where there is none, or one that can't be understood, which is as good as none. */
async function readRecord(manifest: AdapterManifest, root: string): Promise<BuildRecord | null> {
  const text = await readIfPresent(recordFile(manifest, root));
  return text === null ? null : parseRecord(text);
}

function parseRecord(text: string): BuildRecord | null {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
