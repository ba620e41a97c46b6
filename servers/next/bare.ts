/**
 * The same app on Next's own server, with nothing of this folder's in it: what that costs is the difference. In complete
 * mode there is no such server, since Next only streams: it is the same one, and sends chunks. It is measured, never
 * ranked.
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import next from "next";

const { values } = parseArgs({
  options: { host: { type: "string", default: "127.0.0.1" }, port: { type: "string", default: "0" } },
});
const app = next({ dev: false, dir: import.meta.dirname, hostname: values.host, port: Number(values.port) });
await app.prepare();
const handle = app.getRequestHandler();
createServer({ keepAliveTimeout: 0 }, (request, response) => void handle(request, response)).listen(
  Number(values.port),
  values.host,
);
