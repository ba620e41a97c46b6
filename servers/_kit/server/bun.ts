/** Listening on Bun: `Bun.serve` itself, not Node's API on it. */
import { setTimeout as sleep } from "node:timers/promises";
import { failureListenerOf, fetchListenerOf } from "./fetch-site.ts";
import type { FetchHandler } from "./handler.ts";
import type { Host, Listening, Site } from "./host.ts";

const POLL_MS = 5;

/** What the kit uses of Bun's API. */
declare const Bun: {
  readonly version: string;
  readonly serve: (options: {
    readonly hostname: string;
    readonly port: number;
    readonly development: boolean;
    readonly idleTimeout: number;
    readonly fetch: (request: Request) => Response | Promise<Response>;
    readonly error: (error: unknown) => Response;
  }) => BunServer;
};

interface BunServer {
  readonly port: number;
  readonly pendingRequests: number;
  readonly stop: (closeConnections?: boolean) => Promise<void>;
}

/** Bun's server. Only to be called where Bun runs. */
export function bunHost(): Host<FetchHandler> {
  return { runtime: "bun", version: Bun.version, listen };
}

async function listen(site: Site<FetchHandler>, hostname: string, port: number): Promise<Listening> {
  const server = Bun.serve({
    hostname,
    port,
    development: false,
    // Only the client ends a connection: one that rests for a moment under load must not meet a closing server.
    idleTimeout: 0,
    fetch: fetchListenerOf(site),
    error: failureListenerOf(site),
  });
  return {
    port: server.port,
    async close(limitMs) {
      const deadline = performance.now() + limitMs;
      // Resolves when idle clients have gone too, which they needn't: it isn't waited for.
      void server.stop();
      while (server.pendingRequests > 0 && performance.now() < deadline) await sleep(POLL_MS);
      await server.stop(true);
    },
  };
}
