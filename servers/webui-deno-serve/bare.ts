/**
 * The same renderer on the same state, with the same bytes and headers, on a bare `Deno.serve`: what the kit costs is
 * the difference. Pages only; it is measured, never ranked.
 */
import { parseArgs } from "node:util";
import { filterOfPath, requestNonce } from "../../todo/contract/data.ts";
import { TodoPage } from "../_webui/host/page.ts";
import { renderComplete, renderProgressive } from "./render.ts";

declare const Deno: {
  readonly serve: (
    options: { readonly hostname: string; readonly port: number },
    handler: (request: Request) => Response,
  ) => unknown;
};

const { values } = parseArgs({
  options: { host: { type: "string", default: "127.0.0.1" }, port: { type: "string", default: "0" } },
});
const todoPage = new TodoPage(import.meta.dirname);
const render = process.env.RESPONSE_MODE === "complete" ? renderComplete : renderProgressive;

function respond(request: Request): Response {
  const target = request.url.slice(request.url.indexOf("/", "http://".length));
  const [pathname = "", query = ""] = target.split("?");
  const filter = filterOfPath(pathname);
  if (filter === null) return new Response(null, { status: 404 });
  return render(todoPage, { filter, nonce: requestNonce(query.slice("r=".length)) });
}

Deno.serve({ hostname: values.host, port: Number(values.port) }, respond);
