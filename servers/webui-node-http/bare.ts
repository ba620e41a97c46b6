/**
 * The same renderer on the same state, with the same bytes and headers, on a bare `node:http` server: what the kit
 * costs is the difference. Pages only; it is measured, never ranked.
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { filterOfPath, requestNonce } from "../../todo/contract/data.ts";
import { TodoPage } from "../_webui/host/page.ts";
import { renderComplete, renderProgressive } from "./render.ts";

const { values } = parseArgs({
  options: { host: { type: "string", default: "127.0.0.1" }, port: { type: "string", default: "0" } },
});
const todoPage = new TodoPage(import.meta.dirname);
const render = process.env.RESPONSE_MODE === "complete" ? renderComplete : renderProgressive;

createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const [pathname = "", query = ""] = (request.url ?? "").split("?");
  const filter = filterOfPath(pathname);
  if (filter === null) response.writeHead(404).end();
  else render(todoPage, { filter, nonce: requestNonce(query.slice("r=".length)) }, response);
}).listen(Number(values.port), values.host);
