/**
 * Node's server for a framework that answers every request by a handler of its own, files and all: listening, the
 * targets that such handlers turn into others, and the end.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ServerArguments } from "./arguments.ts";

/** Well below the five seconds after which a server that was told to end is killed. */
const CLOSE_LIMIT_MS = 4000;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Serves until SIGTERM, when it ends with status 0 after the running responses. A port in use ends the process with
 * status 1 and says so.
 *
 * @param name of the adapter, for messages
 */
export function serveFramework(
  name: string,
  handle: Handle,
  { host, port }: Pick<ServerArguments, "host" | "port">,
): void {
  let closing = false;
  // Only the client ends a connection: one that rests for a moment under load must not meet a closing server.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    response.once("close", () => {
      if (closing) server.closeIdleConnections();
    });
    if (isPlain(request.url)) handle(request, response);
    else response.writeHead(404).end();
  });
  // Frameworks may catch what nobody else does, and go on.
  server.once("error", (error) => {
    console.error(`${name}: ${error.message}`);
    process.exit(1);
  });
  server.listen(port, host);
  process.once("SIGTERM", () => {
    closing = true;
    setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS).unref();
    server.close(() => process.exit());
  });
}

/** A path, and not one that a URL parser reads as another: absolute targets, `//` and backslashes. */
function isPlain(url = ""): boolean {
  const [path = ""] = url.split("?");
  return path.startsWith("/") && !path.includes("//") && !path.includes("\\");
}
