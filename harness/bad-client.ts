/** Clients as no server wishes for: each acts once, then is gone. Whether the server bears it, other requests show. */
import net from "node:net";
import type { Heard } from "../todo/contract/abuse.ts";
import type { Reply, WireRequest } from "../todo/contract/http.ts";
import { type RawSettings, type RawTarget, requestHead } from "./raw-http.ts";
import { ReplyParser } from "./reply-parser.ts";

/** Ways of a client that isn't there for the answer. */
export type Misbehaviour =
  /** Resets the connection when so much has come; 0: as soon as the request is written. */
  | { readonly kind: "hang-up"; readonly afterBytes: number }
  /** Sends half a head, or a head and less of a body than it announced, and nothing more until `meanwhile` has settled. */
  | {
      readonly kind: "half-request";
      readonly part: "head" | "body";
      readonly meanwhile: () => Promise<unknown>;
    }
  /** Stops reading for a while, several times. */
  | { readonly kind: "slow-reader"; readonly pauseMs: number; readonly pauses: number };

/**
 * Behaves like a bad client once.
 * @returns whether the whole answer came all the same, as it must for a slow reader
 * @throws the signal's reason when it has aborted before
 */
export async function misbehave(
  target: RawTarget,
  path: string,
  how: Misbehaviour,
  { timeoutMs, signal }: RawSettings,
): Promise<{ readonly complete: boolean }> {
  signal.throwIfAborted();
  const socket = net.connect({ host: target.host, port: target.port });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const parser = new ReplyParser("GET");
  let receivedBytes = 0;
  let pausesLeft = how.kind === "slow-reader" ? how.pauses : 0;
  let timer: NodeJS.Timeout | undefined;
  const hangsUp = (): boolean => how.kind === "hang-up" && receivedBytes >= how.afterBytes;
  socket.on("error", end);
  socket.on("close", end);
  socket.on("data", (bytes: Buffer) => {
    receivedBytes += bytes.byteLength;
    parser.push(bytes);
    if (hangsUp() || (parser.result !== null && how.kind !== "half-request")) end();
    else if (pausesLeft > 0) {
      pausesLeft -= 1;
      socket.pause();
      timer = setTimeout(() => socket.resume(), how.kind === "slow-reader" ? how.pauseMs : 0);
    }
  });
  deadline.addEventListener("abort", end, { once: true });
  try {
    socket.write(bytesOf(target, path, how), () => {
      if (how.kind === "half-request") how.meanwhile().then(end, end);
      else if (hangsUp()) end();
    });
    await over;
    return { complete: parser.result?.kind === "reply" };
  } finally {
    clearTimeout(timer);
    socket.resetAndDestroy();
  }
}

function bytesOf(target: RawTarget, path: string, how: Misbehaviour): string {
  const head = requestHead(target, { method: "GET", target: path, headers: [], body: "" });
  if (how.kind !== "half-request") return head;
  if (how.part === "head") return head.slice(0, head.length / 2);
  const headers = [["Content-Length", "1000"]] as const;
  return `${requestHead(target, { method: "POST", target: path, headers, body: "" })}x=1`;
}

/**
 * Sends all requests in one write and records what comes back, until there are as many answers as requests, the server
 * closes, or the time is over.
 * @throws the signal's reason when it aborts
 */
export async function sendAtOnce(
  target: RawTarget,
  requests: readonly WireRequest[],
  { timeoutMs, signal }: RawSettings,
): Promise<Heard> {
  signal.throwIfAborted();
  const socket = net.connect({ host: target.host, port: target.port, noDelay: true });
  const replies: Reply[] = [];
  const { promise: ending, resolve: end } = Promise.withResolvers<Heard["ending"]>();
  const parserOf = (nth: number) => new ReplyParser(requests[nth]?.method ?? "GET");
  let parser = parserOf(0);
  const read = (bytes: Buffer): void => {
    parser.push(bytes);
    while (parser.result?.kind === "reply" && replies.length < requests.length) {
      replies.push(parser.result.reply);
      const { rest } = parser;
      parser = parserOf(replies.length);
      parser.push(rest);
    }
    if (replies.length === requests.length) end("answered");
    else if (parser.result !== null) end("unparsable");
  };
  socket.on("data", read);
  socket.on("end", () => {
    parser.end();
    read(Buffer.alloc(0));
  });
  socket.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "ECONNREFUSED") end("refused");
  });
  socket.on("close", () => end(parser.begun ? "cut-short" : "closed"));
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  const onAbort = (): void => end("timeout");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const bytes = requests.map((request) => requestHead(target, request) + request.body).join("");
    socket.write(Buffer.from(bytes, "latin1"));
    const heard = { replies, ending: await ending };
    signal.throwIfAborted();
    return heard;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    socket.destroy();
  }
}
