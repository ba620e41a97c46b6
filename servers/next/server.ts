/**
 * Next's server as its custom servers are written: its own handler for every request. In complete mode a page is kept
 * until its end, because the App Router only streams.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import next from "next";
import { filterOfPath } from "../../todo/contract/data.ts";
import { parseServerArguments } from "../_kit/server/arguments.ts";
import { inOnePiece } from "./inOnePiece.ts";

/** Well below the five seconds after which a server that was told to end is killed. */
const CLOSE_LIMIT_MS = 4000;

const { host, port, responseMode } = parseServerArguments(process.argv.slice(2), process.env);
const app = next({ dev: false, dir: import.meta.dirname, hostname: host, port });
await app.prepare();
const handle = app.getRequestHandler();
let closing = false;

async function listener(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.once("close", () => {
    if (closing) server.closeIdleConnections();
  });
  if (isOdd(request.url)) {
    response.writeHead(404).end();
    return;
  }
  if (responseMode === "complete" && isPage(request)) inOnePiece(response);
  await handle(request, response);
}

/** What Next would redirect to a path that looks right: the contract wants such a target refused. */
function isOdd(url = ""): boolean {
  return !url.startsWith("/") || url.includes("//") || url.includes("\\");
}

function isPage({ method, url = "" }: IncomingMessage): boolean {
  return method === "GET" && filterOfPath(url.split("?")[0] ?? "") !== null;
}

// Only the client ends a connection: one that rests for a moment under load must not meet a closing server.
const server = createServer({ keepAliveTimeout: 0 }, listener);
// Next catches what nobody else does, and goes on.
server.once("error", (error) => {
  console.error(`next: ${error.message}`);
  process.exit(1);
});
server.listen(port, host);

process.once("SIGTERM", () => {
  closing = true;
  setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS).unref();
  server.close(() => process.exit());
});
