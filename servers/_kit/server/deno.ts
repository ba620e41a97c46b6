/** Listening on Deno: `Deno.serve` itself, not Node's API on it. */
import { failureListenerOf, fetchListenerOf } from "./fetch-site.ts";
import type { FetchHandler } from "./handler.ts";
import type { Host, Listening, Site } from "./host.ts";

/** What the kit uses of Deno's API. */
declare const Deno: {
  readonly version: { readonly deno: string };
  readonly serve: (
    options: {
      readonly hostname: string;
      readonly port: number;
      readonly signal: AbortSignal;
      readonly onListen: () => void;
      readonly onError: (error: unknown) => Response;
    },
    handler: (request: Request) => Response | Promise<Response>,
  ) => DenoServer;
};

interface DenoServer {
  readonly addr: { readonly port: number };
  readonly shutdown: () => Promise<void>;
}

/** Deno's server. Only to be called where Deno runs. */
export function denoHost(): Host<FetchHandler> {
  return { runtime: "deno", version: Deno.version.deno, listen };
}

async function listen(site: Site<FetchHandler>, hostname: string, port: number): Promise<Listening> {
  const cutOff = new AbortController();
  const server = Deno.serve(
    {
      hostname,
      port,
      signal: cutOff.signal,
      // The kit says where it listens.
      onListen() {},
      onError: failureListenerOf(site),
    },
    fetchListenerOf(site),
  );
  return {
    port: server.addr.port,
    async close(limitMs) {
      const limit = setTimeout(() => cutOff.abort(), limitMs);
      await server.shutdown();
      clearTimeout(limit);
    },
  };
}
