/**
 * The zoo's server: it keeps the contract in both modes, but for the one fault that `--fault NAME`, as its first
 * argument, asks for. Its client is the template's own, built into `dist/client` of the folder it is started in.
 */
import path from "node:path";
import { parseServerArguments, UsageError } from "../_kit/server/arguments.ts";
import { loadAssets, readPageAssets } from "../_kit/server/assets.ts";
import type { NodeHandler } from "../_kit/server/handler.ts";
import { hashArtifacts } from "../_kit/server/info.ts";
import { listenOnNode } from "../_kit/server/node.ts";
import { createRouter } from "../_kit/server/site.ts";
import type { Exchange, Fault, Hooks } from "./fault.ts";
import { FAULTS } from "./faults/index.ts";
import { rightWay } from "./right.ts";

const ASSET_PATH = "/assets/";
const CLOSE_LIMIT_MS = 4000;

/** The fault that the arguments begin with, if any, and the arguments that every server takes. */
function splitArguments(argv: readonly string[]): { fault: Fault | null; rest: readonly string[] } {
  const [flag, name = "", ...rest] = argv;
  if (flag !== "--fault") return { fault: null, rest: argv };
  const fault = FAULTS[name];
  if (fault === undefined) {
    throw new UsageError(`There is no fault "${name}". Known are: ${Object.keys(FAULTS).join(", ")}.`);
  }
  return { fault, rest };
}

/** Numbers the requests and their connections. */
function handlerOf(respond: (exchange: Exchange) => void): NodeHandler {
  let requests = 0;
  const connections = new WeakMap<object, number>();
  let connectionsSeen = 0;
  let openConnections = 0;
  return {
    kind: "node",
    respond(page, request, response) {
      const { socket } = request;
      if (!connections.has(socket)) {
        connectionsSeen += 1;
        openConnections += 1;
        connections.set(socket, connectionsSeen);
        socket.once("close", () => {
          openConnections -= 1;
        });
      }
      requests += 1;
      const connection = connections.get(socket) ?? 0;
      respond({ page, request, response, number: requests, connection, openConnections });
    },
  };
}

async function serveZoo(): Promise<void> {
  const { fault, rest } = splitArguments(process.argv.slice(2));
  const { host, port, responseMode } = parseServerArguments(rest, process.env);
  const folder = process.cwd();
  const client = path.join(folder, "dist", "client");
  const right = rightWay(responseMode, readPageAssets(path.join(client, ".vite", "manifest.json")));
  const hooks: Hooks = fault?.make(right) ?? {};
  const info = {
    adapter: "zoo",
    responseMode,
    runtime: "node",
    runtimeVersion: process.versions.node,
    pid: process.pid,
    frameworkVersion: "1.0.0",
    artifacts: hashArtifacts(folder, ["dist"]),
  } as const;
  const listening = await listenOnNode(
    {
      route: createRouter(hooks.info?.(info) ?? info, loadAssets(path.join(client, ASSET_PATH), ASSET_PATH)),
      handler: handlerOf(hooks.respond ?? right.respond),
      onError: (error) => console.error(error),
    },
    host,
    port,
  );
  const close = async (): Promise<void> => {
    await listening.close(CLOSE_LIMIT_MS);
    process.exit(0);
  };
  const terminate = (): void => (hooks.terminate === undefined ? void close() : hooks.terminate(close));
  process.on("SIGTERM", terminate);
  process.on("SIGINT", terminate);
}

try {
  await serveZoo();
} catch (error) {
  console.error(`zoo: ${(error as Error).message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
