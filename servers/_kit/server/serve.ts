/** An adapter's server process, from its arguments to its end. */
import path from "node:path";
import { parseServerArguments, type ResponseMode, type ServerArguments, UsageError } from "./arguments.ts";
import { loadAssets, type PageAssets, readPageAssets } from "./assets.ts";
import type { Handler } from "./handler.ts";
import type { Host, Listening } from "./host.ts";
import { hashArtifacts } from "./info.ts";
import { nodeHost } from "./node.ts";
import { createRouter } from "./site.ts";

/** Well below the five seconds after which a server that was told to end is killed. */
const CLOSE_LIMIT_MS = 4000;

/** What the kit reads of `adapter.json`. */
export interface KitManifest {
  readonly id: string;
  readonly artifacts: readonly string[];
  readonly assetPath?: string;
}

export interface Adapter<Kind extends Handler> {
  readonly manifest: KitManifest;
  /** The adapter's folder; `dist/client` in it is what Vite built for the browser. */
  readonly folder: string;
  readonly frameworkVersion: string;
  /** The renderer for one response mode, which a process never changes. */
  readonly handler: (responseMode: ResponseMode, assets: PageAssets) => Kind;
}

/**
 * Serves an adapter until SIGTERM or SIGINT, on Node unless told otherwise. Wrong arguments end the process with code 2;
 * a port in use, or a build that isn't there, with code 1; both say what is wrong.
 */
export async function serve<Kind extends Handler>(
  adapter: Adapter<Kind>,
  host: Host<Kind> = nodeHost,
): Promise<void> {
  try {
    const args = parseServerArguments(process.argv.slice(2), process.env);
    const listening = await listen(adapter, host, args);
    console.log(`${adapter.manifest.id} (${args.responseMode}) on http://${args.host}:${listening.port}/`);
    closeOnSignal(listening);
  } catch (error) {
    console.error(`${adapter.manifest.id}: ${explain(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

async function listen<Kind extends Handler>(
  { manifest, folder, ...adapter }: Adapter<Kind>,
  { runtime, version, listen }: Host<Kind>,
  { host, port, responseMode }: ServerArguments,
): Promise<Listening> {
  const client = path.join(folder, "dist", "client");
  const assetPath = manifest.assetPath ?? "/assets/";
  const handler = adapter.handler(responseMode, readPageAssets(path.join(client, ".vite", "manifest.json")));
  const info = {
    adapter: manifest.id,
    responseMode,
    runtime,
    runtimeVersion: version,
    pid: process.pid,
    frameworkVersion: adapter.frameworkVersion,
    artifacts: hashArtifacts(folder, manifest.artifacts),
  } as const;
  const site = {
    route: createRouter(info, loadAssets(path.join(client, assetPath), assetPath)),
    handler,
    onError: (error: unknown) => console.error(error),
  };
  try {
    return await listen(site, host, port);
  } catch (error) {
    throw isPortInUse(error) ? new PortInUseError(port, error) : error;
  }
}

function closeOnSignal(listening: Listening): void {
  const close = async (): Promise<void> => {
    await listening.close(CLOSE_LIMIT_MS);
    process.exit(0);
  };
  // Once each: a second signal of the same kind ends the process at once.
  process.once("SIGTERM", close);
  process.once("SIGINT", close);
}

class PortInUseError extends Error {
  constructor(port: number, cause: unknown) {
    super(`port ${port} is in use: stop what listens there, or choose another with --port.`, { cause });
  }
}

function isPortInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EADDRINUSE";
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT" ? `${message}. Build the adapter first.` : message;
}
