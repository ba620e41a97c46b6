/** A fetch handler on Node's server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FetchHandler, NodeHandler } from "./handler.ts";

/**
 * The handler in Node's shape. The body goes out piece by piece as the framework makes it, no faster than the client
 * reads; a client that goes away aborts the request's signal and cancels the body.
 */
export function nodeHandlerOf(handler: FetchHandler): NodeHandler {
  return {
    kind: "node",
    async respond(page, request, response) {
      const gone = new AbortController();
      response.on("close", () => {
        if (!response.writableFinished) gone.abort();
      });
      const answer = await handler.respond(page, requestOf(request, gone.signal));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null || request.method === "HEAD") {
        await answer.body?.cancel();
        response.end();
        return;
      }
      await copy(answer.body, response);
    },
  };
}

/** Only GET and HEAD reach a handler, so there is never a body. */
function requestOf(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    headers.append(request.rawHeaders[i] as string, request.rawHeaders[i + 1] as string);
  }
  const url = `http://${request.headers.host ?? "127.0.0.1"}${request.url}`;
  return new Request(url, { method: request.method ?? "GET", headers, signal });
}

async function copy(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (response.destroyed) return;
      if (!response.write(value)) await writable(response);
    }
    response.end();
  } finally {
    // Tells the framework to stop; does nothing to a body that has ended.
    await reader.cancel();
  }
}

/** Resolves when the response takes more, or when its client has gone. */
function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off("drain", settle);
      response.off("close", settle);
      resolve();
    };
    response.on("drain", settle);
    response.on("close", settle);
  });
}
