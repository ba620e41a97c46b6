/**
 * The same handlers, with the same bytes and headers, on a bare `node:http` server: what the kit costs is the
 * difference. Pages only; it is measured, never ranked.
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { filterOfPath } from "../../../todo/contract/data.ts";
import { respondComplete, respondProgressive } from "./handler.ts";

const { values } = parseArgs({
  options: { host: { type: "string", default: "127.0.0.1" }, port: { type: "string", default: "0" } },
});
const respond = process.env.RESPONSE_MODE === "complete" ? respondComplete : respondProgressive;

createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const url = new URL(request.url ?? "", `http://${values.host}`);
  if (filterOfPath(url.pathname) === null) {
    response.writeHead(404).end();
    return;
  }
  const answer = await respond(new Request(url));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const piece of answer.body ?? []) response.write(piece);
  response.end();
}).listen(Number(values.port), values.host);
