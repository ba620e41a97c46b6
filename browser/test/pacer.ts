/** A slow line: stands between a server and the front, and passes pages on piece by piece, with a wait between them. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { FrontTarget } from "../proxy/front.ts";

export interface Pace {
  readonly pieceBytes: number;
  readonly delayMs: number;
}

export interface Pacer extends AsyncDisposable {
  readonly target: FrontTarget;
}

/** Starts one on a free port of 127.0.0.1. What isn't a page passes at once. */
export async function startPacer(target: FrontTarget, pace: Pace): Promise<Pacer> {
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const asked = http.request({ ...target, method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      const isPage = answer.headers["content-type"]?.startsWith("text/html") ?? false;
      const passed = isPage ? pipeline(answer, inPieces(pace), response) : pipeline(answer, response);
      // The one side that broke off has taken the other along.
      passed.catch(() => undefined);
    });
    asked.once("error", () => response.destroy());
    request.pipe(asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    target: { host: "127.0.0.1", port },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function inPieces({ pieceBytes, delayMs }: Pace) {
  return async function* (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const read of body) {
      for (let at = 0; at < read.byteLength; at += pieceBytes) {
        yield read.subarray(at, at + pieceBytes);
        await delay(delayMs);
      }
    }
  };
}
