/**
 * The same renderer on the same tree, with the same bytes and headers, on a bare `node:http` server: what the kit
 * costs is the difference. Pages only; it is measured, never ranked.
 */
import { createServer } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";
import { filterOfPath, requestNonce } from "../../todo/contract/data.ts";
import { readPageAssets } from "../_kit/server/assets.ts";
import { renderComplete, renderProgressive } from "./app/render.ts";

const { values } = parseArgs({
  options: { host: { type: "string", default: "127.0.0.1" }, port: { type: "string", default: "0" } },
});
const assets = readPageAssets(path.resolve(import.meta.dirname, "client/.vite/manifest.json"));
const render = process.env.RESPONSE_MODE === "complete" ? renderComplete : renderProgressive;

createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const [pathname = "", query = ""] = (request.url ?? "").split("?");
  const filter = filterOfPath(pathname);
  if (filter === null) response.writeHead(404).end();
  else render({ filter, nonce: requestNonce(query.slice("r=".length)) }, assets, response);
}).listen(Number(values.port), values.host);
