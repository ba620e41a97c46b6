/** Running a built adapter for a test in the browser. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium } from "playwright-core";
import { type AdapterManifest, discoverAdapters } from "../../../harness/manifest.ts";
import { isPinnedRuntime, runtimeBinary } from "../../../harness/tools.ts";

const SERVERS = path.resolve(import.meta.dirname, "../..");
const START_LIMIT_MS = 15_000;

/** A built adapter's server, as these tests run it. */
export interface Running {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** A port that nothing listens at. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  assert(address !== null && typeof address === "object");
  probe.close();
  await once(probe, "close");
  return address.port;
}

/** What starts an adapter at `port`, in its folder. */
export function startCommand(
  manifest: AdapterManifest,
  port: number,
  responseMode: string,
): { readonly program: string; readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv } {
  const fill = (text: string): string =>
    text.replaceAll("{host}", "127.0.0.1").replaceAll("{port}", String(port));
  const [program, ...args] = manifest.start.map(fill) as [string, ...string[]];
  const own = Object.fromEntries(Object.entries(manifest.env).map(([name, value]) => [name, fill(value)]));
  return {
    program: isPinnedRuntime(program) ? runtimeBinary(program) : program,
    args,
    env: { ...process.env, ...own, RESPONSE_MODE: responseMode },
  };
}

/** Starts an adapter as its manifest says, and waits until it answers. @throws Error where it doesn't */
export async function start(manifest: AdapterManifest, responseMode: string): Promise<Running> {
  const port = await freePort();
  const { program, args, env } = startCommand(manifest, port, responseMode);
  const child = spawn(program, args, {
    cwd: manifest.folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  await answering(child, origin);
  return {
    origin,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function answering(child: ChildProcess, origin: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    try {
      await (await fetch(`${origin}/bench/info`)).arrayBuffer();
      return;
    } catch {
      // Not listening yet.
      await sleep(50);
    }
  }
  child.kill("SIGKILL");
  throw new Error(`${origin} didn't answer within ${START_LIMIT_MS} ms`);
}

function isBuilt(manifest: AdapterManifest): boolean {
  return manifest.artifacts.every((artifact) => existsSync(path.join(manifest.folder, artifact)));
}

/** The adapters that are built. @param only their ids, where not all are wanted */
export async function builtAdapters(only?: readonly string[]): Promise<AdapterManifest[]> {
  const manifests = await discoverAdapters(SERVERS);
  return manifests.filter(
    (manifest) => isBuilt(manifest) && (only === undefined || only.includes(manifest.id)),
  );
}

/** The installed Chromium; `CHROMIUM_PATH` names it where it isn't in the usual place. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--disable-background-networking", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
}
