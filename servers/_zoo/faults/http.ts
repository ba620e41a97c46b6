/** Right pages in replies that are well-formed HTTP and break the contract's rules on it. */
import { gzipSync } from "node:zlib";
import type { Exchange, Fault, Faults, Right } from "../fault.ts";
import { PAGE_HEADERS, sendInPieces, sendWhole, textOf } from "../right.ts";

type Headers = Readonly<Record<string, string | number>>;

function bodyOf(right: Right, { page }: Exchange): Buffer {
  return Buffer.from(textOf(right.render(right.data(page))));
}

/** A reply that is one piece in `complete` and chunks in `progressive`. */
function reply(right: Right, { response }: Exchange, status: number, body: Buffer, headers: Headers): void {
  const length = right.responseMode === "complete" ? { "content-length": body.byteLength } : {};
  response.writeHead(status, { ...PAGE_HEADERS, ...length, ...headers });
  response.write(body);
  response.end();
}

function responding(what: string, respond: (right: Right, exchange: Exchange) => void): Fault {
  return { what, make: (right) => ({ respond: (exchange) => respond(right, exchange) }) };
}

function withHeaders(what: string, headers: Headers): Fault {
  return responding(what, (right, exchange) => reply(right, exchange, 200, bodyOf(right, exchange), headers));
}

const BAD_GATEWAY = Buffer.from("<!DOCTYPE html><title>502</title><p>Bad gateway</p></html>");

function badGateway(right: Right, exchange: Exchange): void {
  reply(right, exchange, 502, BAD_GATEWAY, {});
}

export const HTTP_FAULTS = {
  "bad-gateway": responding("502 to all", badGateway),
  "connection-close": withHeaders("Connection: close on every reply", { connection: "close" }),
  "gzip-when-offered": responding("gzip for those who offer it", (right, exchange) => {
    const { "accept-encoding": offered = "" } = exchange.request.headers;
    if (!String(offered).includes("gzip")) right.respond(exchange);
    else reply(right, exchange, 200, gzipSync(bodyOf(right, exchange)), { "content-encoding": "gzip" });
  }),
  "not-modified": responding("304 to those who have the page", (right, exchange) => {
    if (exchange.request.headers["if-none-match"] === undefined) right.respond(exchange);
    else exchange.response.writeHead(304, { "cache-control": "no-store" }).end();
  }),
  etag: withHeaders("an ETag", { etag: '"todo"' }),
  "plain-text": withHeaders("a wrong content type", { "content-type": "text/plain; charset=utf-8" }),
  cacheable: withHeaders("a page that may be stored", { "cache-control": "max-age=1" }),
  "complete-without-length": responding("chunks in complete", (right, exchange) =>
    sendInPieces(exchange, right.render(right.data(exchange.page))),
  ),
  "progressive-with-length": responding("a length in progressive", (right, exchange) =>
    sendWhole(exchange, right.render(right.data(exchange.page))),
  ),
} satisfies Faults;
