/** A response that keeps what is written to it, and sends it in one piece with its length. */
import type { ServerResponse } from "node:http";

/** The methods that would send something before the end. */
const SENDING = ["write", "end", "flushHeaders"] as const;

/** Makes `response` one that sends nothing before its end, and then all of it at once. @returns the same response */
export function inOnePiece(response: ServerResponse): ServerResponse {
  const pieces: Uint8Array[] = [];
  const own = Object.fromEntries(SENDING.map((name) => [name, response[name]]));

  function keep(piece: unknown, encoding: unknown): void {
    if (typeof piece === "string") pieces.push(Buffer.from(piece, encodingOf(encoding)));
    else if (piece instanceof Uint8Array) pieces.push(piece);
  }

  function write(piece: unknown, encoding?: unknown, done?: unknown): boolean {
    keep(piece, encoding);
    call(done ?? encoding);
    return true;
  }

  function end(piece?: unknown, encoding?: unknown, done?: unknown): ServerResponse {
    keep(piece, encoding);
    // The real end writes and ends by itself; it has to find its own methods.
    Object.assign(response, own);
    const body = Buffer.concat(pieces);
    if (!response.headersSent) response.setHeader("content-length", body.byteLength);
    response.end(body);
    call([piece, encoding, done].find((argument) => typeof argument === "function"));
    return response;
  }

  return Object.assign(response, { write, end, flushHeaders: () => undefined });
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8";
}

function call(callback: unknown): void {
  if (typeof callback === "function") process.nextTick(callback);
}
