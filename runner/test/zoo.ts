/** Servers of the zoo, put through the real parts of a visit. */
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { execa } from "execa";
import { hashArtifacts } from "../../harness/artifacts.ts";
import type { BuiltAdapter } from "../../harness/build.ts";
import { allowedCpus, assignCpus, siblingsOf } from "../../harness/cpus.ts";
import { launchServer, type ServerHandle } from "../../harness/launch.ts";
import type { AdapterManifest } from "../../harness/manifest.ts";
import { markRun } from "../../harness/mark.ts";
import { SERVERS_DIR } from "../../harness/project.ts";
import { runtimeBinary } from "../../harness/tools.ts";
import { rowsOf } from "../../report/rows.ts";
import type { ResponseMode, Row, RunPlan, Visit } from "../../report/schema.ts";
import { makePlan } from "../plan.ts";
import { type Verification, type VerifyDepth, verifyServer } from "../verify.ts";
import { visit } from "../visit.ts";
import { realPorts } from "../world.ts";

const FOLDER = path.join(SERVERS_DIR, "_zoo");
const CPUS = assignCpus(allowedCpus(), siblingsOf(allowedCpus()[0] ?? 0));

/** The client of all zoo servers, built into a temporary folder. */
export interface Zoo extends AsyncDisposable {
  /** @param fault a name of `servers/_zoo/faults`, or null for the right server */
  adapter(fault: string | null): BuiltAdapter;
  /** A right server whose build holds one file more. @param from is copied to `to`, below `dist` */
  withFile(from: string, to: string): Promise<BuiltAdapter>;
}

/** Builds the template's client as it is. To be disposed of when no server is left. */
export async function openZoo(): Promise<Zoo> {
  const parent = await mkdtemp(path.join(os.tmpdir(), "zoo-"));
  const folder = path.join(parent, "zoo");
  const dispose = (): Promise<void> => rm(parent, { recursive: true });
  try {
    const vite = path.join(SERVERS_DIR, "_template", "node_modules", ".bin", "vite");
    await execa(vite, ["build", "--config", path.join(FOLDER, "vite.config.ts")], {
      // The shared build looks for an adapter's files in the folder that it runs in.
      cwd: path.join(SERVERS_DIR, "_template"),
      env: { ZOO_FOLDER: folder, NODE_ENV: "production", PATH: pathWithNode() },
    });
    const built = await builtIn(folder);
    return {
      adapter: (fault) => ({ ...built, manifest: manifestOf(folder, fault) }),
      async withFile(from, to) {
        const copy = path.join(parent, randomUUID());
        await cp(path.join(folder, "dist"), path.join(copy, "dist"), { recursive: true });
        await cp(from, path.join(copy, "dist", to));
        return await builtIn(copy);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function builtIn(folder: string): Promise<BuiltAdapter> {
  const manifest = manifestOf(folder, null);
  const artifacts = await hashArtifacts(manifest);
  return { manifest, artifacts, frameworkVersion: "1.0.0", links: [], builtAtMs: 0 };
}

function pathWithNode(): string {
  return `${path.dirname(runtimeBinary("node"))}${path.delimiter}${process.env.PATH}`;
}

/** Of a right server; its folder isn't a real one. */
export const ZOO_MANIFEST: AdapterManifest = {
  id: "zoo",
  displayName: "Zoo",
  homepage: "https://example.org/",
  versionFrom: "npm:vite",
  runtime: "node",
  build: [],
  start: ["node", path.join(FOLDER, "server.ts"), "--host", "{host}", "--port", "{port}"],
  env: {},
  assetPath: "/assets/",
  artifacts: ["dist"],
  inputs: [],
  deviations: [],
  folder: "/nonexistent",
};

function manifestOf(folder: string, fault: string | null): AdapterManifest {
  if (fault === null) return { ...ZOO_MANIFEST, folder };
  const [node, server, ...address] = ZOO_MANIFEST.start;
  return { ...ZOO_MANIFEST, folder, start: [node, server as string, "--fault", fault, ...address] };
}

/** Launches a server, and holds it to the contract. @throws BenchError as `launchServer` does */
export async function launchAndVerify(
  { manifest, artifacts }: BuiltAdapter,
  mode: ResponseMode,
  { depth = "before-load", startLimitMs = 60_000 }: { depth?: VerifyDepth; startLimitMs?: number } = {},
): Promise<Verification> {
  const { signal } = new AbortController();
  await using mark = markRun();
  const server = await launchServer({ manifest, mode, cpu: CPUS.server, mark, signal, startLimitMs });
  try {
    const { target } = server;
    return await verifyServer({
      target,
      manifest,
      artifacts,
      mode,
      pids: () => server.pids(),
      depth,
      signal,
    });
  } finally {
    await server.stop();
  }
}

/** A visit with short windows, and what the report makes of it. */
export interface Visited {
  readonly plan: RunPlan;
  readonly visit: Visit;
  readonly row: Row;
}

const SHORT = { unrecordedMs: 200, probeMs: 300, warmMs: 300, warmLimitMs: 1_000, windowMs: 1_000 } as const;

/**
 * One whole visit of a server, as a run makes it.
 * @param changes to the short plan
 * @param alongside called with each server that has been started: the probed one, then the measured one
 */
export async function visitServer(
  built: BuiltAdapter,
  mode: ResponseMode,
  changes: Partial<RunPlan> = {},
  alongside: (server: ServerHandle, nth: number) => void = () => undefined,
): Promise<Visited> {
  const { signal } = new AbortController();
  const options = { runtimeMode: "quick", responseMode: mode, filtered: true } as const;
  const plan = { ...makePlan(options, [built.manifest.id], CPUS, 1), ...SHORT, ...changes };
  await using mark = markRun();
  const cell = { adapter: built.manifest.id, responseMode: mode, round: 1, telemetry: true, built };
  const real = realPorts(plan, mark, () => undefined);
  let started = 0;
  const start: typeof real.start = async (...asked) => {
    const server = await real.start(...asked);
    started += 1;
    alongside(server, started);
    return server;
  };
  const visited = await visit(cell, plan, { ...real, start }, signal);
  const [row] = rowsOf(plan, [visited]);
  if (row === undefined) throw new Error("a plan of one cell has one row");
  return { plan, visit: visited, row };
}
