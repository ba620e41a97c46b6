/**
 * Next's server as its custom servers are written: its own handler for every request. In complete mode a page is kept
 * until its end, because the App Router only streams.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import next from "next";
import { filterOfPath } from "../../todo/contract/data.ts";
import { parseServerArguments } from "../_kit/server/arguments.ts";
import { serveFramework } from "../_kit/server/framework-server.ts";
import { inOnePiece } from "./inOnePiece.ts";

const { host, port, responseMode } = parseServerArguments(process.argv.slice(2), process.env);
const app = next({ dev: false, dir: import.meta.dirname, hostname: host, port });
await app.prepare();
const handle = app.getRequestHandler();

function handlePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return handle(request, isPage(request) ? inOnePiece(response) : response);
}

function isPage({ method, url = "" }: IncomingMessage): boolean {
  return method === "GET" && filterOfPath(url.split("?")[0] ?? "") !== null;
}

serveFramework("next", responseMode === "complete" ? handlePage : handle, { host, port });
