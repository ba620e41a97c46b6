/**
 * The HTTPS and HTTP/2 front of a product's server, as a reverse proxy stands before it in production: what the server
 * writes is passed on piece by piece, and whoever of the two goes away, the other is told.
 */
import { once } from "node:events";
import http from "node:http";
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { pipeline } from "node:stream";
import { makeCertificate } from "./certificate.ts";

const HOST = "127.0.0.1";
/** Headers of one connection, not of the message (RFC 9110, 7.6.1); HTTP/2 forbids them (RFC 9113, 8.2.2). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR } = http2.constants;

export interface FrontTarget {
  readonly host: typeof HOST;
  readonly port: number;
}

export interface Front extends AsyncDisposable {
  /** `https://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Of its certificate, for `--ignore-certificate-errors-spki-list`. */
  readonly spkiHash: string;
}

/** Starts a front on a free port of 127.0.0.1. It ends, with all its connections, when it is disposed of. */
export async function startFront(target: FrontTarget): Promise<Front> {
  const { key, cert, spkiHash } = await makeCertificate(new Date());
  const agent = new http.Agent({ keepAlive: true });
  const server = http2.createSecureServer({ key, cert, allowHTTP1: false, noDelay: true });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
    forward(stream, headers, { target, agent }),
  );
  server.listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://${HOST}:${port}`,
    spkiHash,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      // Not their sessions: a connection that hasn't shaken hands has none, and would be waited for.
      for (const socket of sockets) socket.destroy();
      await closed;
      agent.destroy();
    },
  };
}

interface Upstream {
  readonly target: FrontTarget;
  readonly agent: http.Agent;
}

function forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, upstream: Upstream): void {
  const { target, agent } = upstream;
  const request = http.request({
    ...target,
    agent,
    method: headers[":method"] ?? "GET",
    path: headers[":path"] ?? "/",
    headers: requestHeaders(headers),
  });
  request.setNoDelay(true);
  request.once("response", (response) => answer(stream, response));
  request.on("error", (error) => {
    if (isStale(request, error) && stream.endAfterHeaders && !isOver(stream) && !stream.headersSent)
      forward(stream, headers, upstream);
    else refuse(stream, error);
  });
  // A stream that the browser cancels takes its request along; one that has ended finds it ended too.
  stream.once("close", () => request.destroy());
  // What becomes of a broken stream is seen by its `close`.
  stream.on("error", () => undefined);
  if (stream.endAfterHeaders) request.end();
  else stream.pipe(request);
}

/**
 * Sent on a kept connection that the server was just closing, as it may at any time: every proxy asks again then (Node's
 * documentation of `request.reusedSocket`).
 */
function isStale(request: http.ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

function isOver(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed;
}

/** As it came, but with the authority as `host` and what a proxy tells of the connection before it. */
function requestHeaders(headers: IncomingHttpHeaders): http.OutgoingHttpHeaders {
  const authority = headers[":authority"] ?? headers.host;
  return {
    ...Object.fromEntries(
      Object.entries(headers).filter(([name]) => !name.startsWith(":") && !HOP_BY_HOP.has(name)),
    ),
    ...(authority === undefined ? {} : { host: authority, "x-forwarded-host": authority }),
    "x-forwarded-proto": "https",
  };
}

function answer(stream: ServerHttp2Stream, response: http.IncomingMessage): void {
  if (isOver(stream)) {
    response.destroy();
    return;
  }
  const headers = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.has(name));
  try {
    stream.respond({ ":status": response.statusCode ?? 502, ...Object.fromEntries(headers) });
  } catch (error) {
    response.destroy();
    refuse(stream, error as Error);
    return;
  }
  pipeline(response, stream, (error) => {
    // A body that broke off must not look like one that ended.
    if (error !== undefined && error !== null) stream.close(NGHTTP2_INTERNAL_ERROR);
  });
}

/**
 * The server can't be reached, broke off before its head, or sent one that HTTP/2 can't say: the browser is told so,
 * unless it has left itself.
 */
function refuse(stream: ServerHttp2Stream, error: Error): void {
  if (isOver(stream)) return;
  if (stream.headersSent) {
    stream.close(NGHTTP2_CANCEL);
    return;
  }
  stream.respond({ ":status": 502, "content-type": "text/plain; charset=utf-8" });
  stream.end(`The server behind this front gave no answer that can be passed on: ${error.message}\n`);
}
