/** Listening on Node: one `http.Server`, its requests handed to the router and the handler, and its end. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHandlerOf } from "./fetch.ts";
import type { Handler, NodeHandler } from "./handler.ts";
import type { Host, Listening, Site } from "./host.ts";
import type { FixedAnswer } from "./site.ts";

/** Node's server, for handlers of either shape. */
export const nodeHost: Host<Handler> = {
  runtime: "node",
  version: process.versions.node,
  listen: ({ handler, ...site }, host, port) =>
    listenOnNode(
      { ...site, handler: handler.kind === "node" ? handler : nodeHandlerOf(handler) },
      host,
      port,
    ),
};

/**
 * Serves `site` at `host`:`port`.
 *
 * @param port 0 lets the system choose
 * @throws Error `EADDRINUSE` and the like where it can't listen
 */
export async function listenOnNode(site: Site<NodeHandler>, host: string, port: number): Promise<Listening> {
  const { route, handler, onError } = site;
  let running = 0;
  let onIdle: (() => void) | null = null;

  function finished(): void {
    running -= 1;
    if (running === 0) onIdle?.();
  }

  function listener(request: IncomingMessage, response: ServerResponse): void {
    const routed = route(request.method as string, request.url as string);
    running += 1;
    response.on("close", finished);
    // A client that goes away mid-response is no fault of the server: EPIPE and ECONNRESET end here.
    response.on("error", ignoreGoneClient);
    if (routed.kind === "fixed") {
      sendFixed(request, response, routed.answer);
      return;
    }
    try {
      const pending = handler.respond(routed.page, request, response);
      if (pending !== undefined) pending.catch((error: unknown) => failed(error, response));
    } catch (error) {
      failed(error, response);
    }
  }

  function failed(error: unknown, response: ServerResponse): void {
    if (response.destroyed) return;
    onError(error);
    if (response.headersSent) response.destroy();
    else
      response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end("Internal server error\n");
  }

  const server = createServer(
    {
      // Only the client ends a connection: one that rests for a moment under load must not meet a closing server.
      keepAliveTimeout: 0,
    },
    listener,
  );
  await listening(server, host, port);

  return {
    port: (server.address() as AddressInfo).port,
    close: (limitMs) =>
      new Promise((resolve) => {
        const limit = setTimeout(() => server.closeAllConnections(), limitMs);
        server.close(() => {
          clearTimeout(limit);
          resolve();
        });
        onIdle = () => server.closeAllConnections();
        if (running === 0) onIdle();
      }),
  };
}

function ignoreGoneClient(): void {}

function sendFixed(request: IncomingMessage, response: ServerResponse, answer: FixedAnswer): void {
  response.writeHead(answer.status, answer.headers);
  if (request.method === "HEAD") response.end();
  else response.end(answer.body);
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
