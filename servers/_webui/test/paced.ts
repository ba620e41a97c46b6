/** A front that lets the first part of a page through, and the rest when it is told to. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PacedFront extends AsyncDisposable {
  readonly origin: string;
  /** Lets the rest of the page through, now and from now on. */
  readonly letThrough: () => void;
}

/**
 * Forwards to `target`. Of an HTML page all that stands before `mark` passes at once.
 *
 * @throws Error where a page has no such mark
 */
export async function startPacedFront(target: string, mark: string): Promise<PacedFront> {
  const told = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${target}${request.url}`);
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type });
    if (type.startsWith("text/html")) {
      const at = body.indexOf(mark);
      if (at < 0) throw new Error(`The page holds no ${mark}.`);
      response.write(body.subarray(0, at));
      await told.promise;
      response.end(body.subarray(at));
    } else response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    letThrough: told.resolve,
    async [Symbol.asyncDispose]() {
      told.resolve();
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
