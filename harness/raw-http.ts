/**
 * A strict HTTP/1.1 client on a bare socket, for the verifier: it records what is on the wire, repairs nothing, and
 * never hangs. A breach of the protocol is data in the recorded exchange, never an exception.
 */
import net from "node:net";
import type { Exchange, Fault, Framing, HeaderList, Outcome, WireRequest } from "../todo/contract/http.ts";

/** Only loopback is ever a target. */
export interface RawTarget {
  readonly host: "127.0.0.1";
  readonly port: number;
}

export interface RawSettings {
  /** For one request, from its first byte written to the answer's last. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends requests one after another, each when the answer before it is whole, over one connection as long as the
 * server keeps it. A server that closes it gets a new one; `turn` in the record tells. After a connection that was
 * broke in mid-answer the next request gets a fresh one as well; after one that was refused or timed out the rest
 * isn't sent, and the last record says why.
 */
export async function converse(
  target: RawTarget,
  requests: readonly WireRequest[],
  settings: RawSettings,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  let connection: Connection | null = null;
  let turn = 0;
  try {
    for (const request of requests) {
      if (connection === null || !connection.usable) {
        connection?.destroy();
        connection = new Connection(target);
        turn = 0;
      }
      const exchange = await connection.exchange(request, turn, settings);
      exchanges.push(exchange);
      if (isHopeless(exchange)) break;
      turn += 1;
    }
    return exchanges;
  } finally {
    connection?.destroy();
  }
}

/** No further request to this server has a chance, or a reason. */
export function isHopeless({ outcome }: Exchange): boolean {
  return outcome.kind === "failed" && ["refused", "timeout", "aborted"].includes(outcome.fault);
}

/** Ways of a client that isn't there for the answer. */
export type Misbehaviour =
  /** Resets the connection when so much has come. */
  | { readonly kind: "hang-up"; readonly afterBytes: number }
  /** Sends half a head and nothing more, until `until` has settled. */
  | { readonly kind: "half-request"; readonly until: Promise<unknown> }
  /** Stops reading for a while, several times. */
  | { readonly kind: "slow-reader"; readonly pauseMs: number; readonly pauses: number };

/**
 * Behaves like a bad client once, then is gone. Whether the server bears it is seen by other requests.
 * @returns whether the whole answer came all the same, as it must for a slow reader
 */
export async function misbehave(
  target: RawTarget,
  path: string,
  how: Misbehaviour,
  { timeoutMs, signal }: RawSettings,
): Promise<{ readonly complete: boolean }> {
  const socket = net.connect({ host: target.host, port: target.port });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const over = Promise.withResolvers<void>();
  const parser = new ReplyParser("GET");
  let receivedBytes = 0;
  let pausesLeft = how.kind === "slow-reader" ? how.pauses : 0;
  let timer: NodeJS.Timeout | undefined;
  const head = requestHead(target, { method: "GET", target: path, headers: [], body: "" });
  socket.on("error", () => over.resolve());
  socket.on("close", () => over.resolve());
  socket.on("data", (bytes: Buffer) => {
    receivedBytes += bytes.byteLength;
    parser.push(bytes);
    if (parser.result !== null || (how.kind === "hang-up" && receivedBytes >= how.afterBytes)) over.resolve();
    else if (how.kind === "slow-reader" && pausesLeft > 0) {
      pausesLeft -= 1;
      socket.pause();
      timer = setTimeout(() => socket.resume(), how.pauseMs);
    }
  });
  deadline.addEventListener("abort", () => over.resolve(), { once: true });
  if (how.kind === "half-request") {
    const end = (): void => over.resolve();
    how.until.then(end, end);
  }
  try {
    socket.write(how.kind === "half-request" ? head.slice(0, head.length / 2) : head);
    await over.promise;
    return { complete: parser.result?.kind === "reply" };
  } finally {
    clearTimeout(timer);
    socket.resetAndDestroy();
  }
}

function requestHead(target: RawTarget, { method, target: path, headers }: WireRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n${lines}\r\n`;
}

/** One socket. It is used by one request at a time. */
class Connection {
  readonly #socket: net.Socket;
  readonly #target: RawTarget;
  #ended: Fault | null = null;
  #message = "";
  #onBytes: (bytes: Buffer) => void = () => {};
  #onEnd: () => void = () => {};
  /** An exchange on it has failed, or the server said that it closes it. */
  #spent = false;

  constructor(target: RawTarget) {
    this.#target = target;
    this.#socket = net.connect({ host: target.host, port: target.port, noDelay: true });
    this.#socket.on("data", (bytes: Buffer) => this.#onBytes(bytes));
    this.#socket.on("error", (error: NodeJS.ErrnoException) => {
      this.#end(error.code === "ECONNREFUSED" ? "refused" : "reset", error.message);
    });
    this.#socket.on("close", () => this.#end("closed-in-head", "the server closed the connection"));
  }

  get usable(): boolean {
    return this.#ended === null && !this.#spent;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #end(fault: Fault, message: string): void {
    if (this.#ended !== null) return;
    this.#ended = fault;
    this.#message = message;
    this.#onEnd();
  }

  /** Sends one request and records its answer. Never rejects. */
  exchange(request: WireRequest, turn: number, { timeoutMs, signal }: RawSettings): Promise<Exchange> {
    const parser = new ReplyParser(request.method);
    const bytes = requestHead(this.#target, request) + request.body;
    return new Promise((resolve) => {
      let done = false;
      const sentAtMs = Date.now();
      const finish = (outcome: Outcome): void => {
        if (done) return;
        done = true;
        const endedAtMs = Date.now();
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#onEnd = () => {};
        if (outcome.kind === "failed" || parser.closes) this.#spent = true;
        this.#settle(parser).then(() => {
          const { trailingBytes } = parser;
          resolve({ request, outcome, sentAtMs, endedAtMs, turn, trailingBytes });
        });
      };
      const fail = (fault: Fault, message: string): void => finish({ kind: "failed", fault, message });
      const timer = setTimeout(() => fail("timeout", `no whole answer within ${timeoutMs} ms`), timeoutMs);
      const onAbort = (): void => fail("aborted", "the verification was ended");
      signal.addEventListener("abort", onAbort, { once: true });
      this.#onBytes = (received) => {
        parser.push(received);
        if (parser.result !== null) finish(parser.result);
      };
      this.#onEnd = () => {
        const fault = this.#ended ?? "reset";
        if (fault === "closed-in-head") parser.end();
        if (parser.result !== null) finish(parser.result);
        else
          fail(parser.inBody && this.#ended === "closed-in-head" ? "closed-in-body" : fault, this.#message);
      };
      if (signal.aborted) onAbort();
      else if (this.#ended !== null) this.#onEnd();
      else this.#socket.write(bytes);
    });
  }

  /** Bytes that stand behind the answer are read off the socket by one more turn of the event loop. */
  async #settle(parser: ReplyParser): Promise<void> {
    this.#onBytes = (received) => parser.push(received);
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    this.#onBytes = () => {
      this.#spent = true;
    };
  }
}

const CRLF = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
const HEAD_LIMIT_BYTES = 64 * 1024;
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

interface Head {
  readonly version: string;
  readonly status: number;
  readonly headers: HeaderList;
}

type State =
  | { readonly at: "head" }
  | { readonly at: "length"; readonly head: Head; readonly bytes: number }
  | { readonly at: "close"; readonly head: Head }
  | { readonly at: "chunk-size"; readonly head: Head }
  | { readonly at: "chunk"; readonly head: Head; readonly bytes: number }
  | { readonly at: "trailer"; readonly head: Head };

/** Reads one answer, interim replies before it included; what comes after it is counted. */
class ReplyParser {
  result: Outcome | null = null;
  trailingBytes = 0;
  /** The answer, or its version, says that the connection ends with it. */
  closes = false;
  readonly #method: string;
  #buffer: Buffer = Buffer.alloc(0);
  #state: State = { at: "head" };
  #parts: Buffer[] = [];
  #bodyBytes = 0;
  #chunks = 0;
  #interim: number[] = [];

  constructor(method: string) {
    this.#method = method;
  }

  /** A final head was read. */
  get inBody(): boolean {
    return this.#state.at !== "head";
  }

  push(bytes: Buffer): void {
    if (this.result !== null) {
      this.#countTrailing(bytes.byteLength);
      return;
    }
    this.#buffer = this.#buffer.byteLength === 0 ? bytes : Buffer.concat([this.#buffer, bytes]);
    while (this.result === null && this.#step());
    this.#countTrailing(this.#buffer.byteLength);
  }

  #countTrailing(bytes: number): void {
    if (this.result?.kind === "reply") this.trailingBytes += bytes;
  }

  /** The connection has ended: the end of a body without framing. */
  end(): void {
    if (this.result === null && this.#state.at === "close") this.#finish(this.#state.head, "until-close");
  }

  /** One step on; false where more bytes are needed. */
  #step(): boolean {
    const state = this.#state;
    switch (state.at) {
      case "head":
        return this.#readHead();
      case "length":
        return this.#readBytes(state.bytes, () => this.#finish(state.head, "length"));
      case "close":
        return this.#readRest();
      case "chunk-size":
        return this.#readChunkSize(state.head);
      case "chunk":
        return this.#readChunk(state.head, state.bytes);
      case "trailer":
        return this.#readTrailer(state.head);
    }
  }

  #refuse(message: string): boolean {
    this.result = { kind: "failed", fault: "unparsable", message };
    this.closes = true;
    return false;
  }

  #readHead(): boolean {
    const end = this.#buffer.indexOf(HEAD_END);
    if (end < 0) {
      return this.#buffer.byteLength > HEAD_LIMIT_BYTES ? this.#refuse("a head without an end") : false;
    }
    const text = this.#buffer.subarray(0, end).toString("latin1");
    this.#buffer = this.#buffer.subarray(end + HEAD_END.byteLength);
    const head = parseHead(text);
    if (typeof head === "string") return this.#refuse(head);
    if (head.status >= 100 && head.status < 200) {
      this.#interim.push(head.status);
      return true;
    }
    return this.#beginBody(head);
  }

  #beginBody(head: Head): boolean {
    const coding = values(head.headers, "transfer-encoding").join(", ").toLowerCase();
    const lengths = [...new Set(values(head.headers, "content-length"))];
    const connection = values(head.headers, "connection").join(", ").toLowerCase();
    this.closes = /\bclose\b/.test(connection) || head.version !== "HTTP/1.1";
    if (this.#method === "HEAD" || head.status === 204 || head.status === 304) {
      this.#finish(head, "none");
      return false;
    }
    if (coding !== "") {
      if (coding !== "chunked") return this.#refuse(`transfer-encoding ${coding}`);
      this.#state = { at: "chunk-size", head };
      return true;
    }
    const [length] = lengths;
    if (length === undefined) {
      this.closes = true;
      this.#state = { at: "close", head };
      return true;
    }
    if (lengths.length > 1 || !/^\d{1,12}$/.test(length)) {
      return this.#refuse(`content-length ${lengths.join(" and ")}`);
    }
    this.#state = { at: "length", head, bytes: Number(length) };
    return true;
  }

  #readBytes(wanted: number, done: () => void): boolean {
    if (this.#buffer.byteLength < wanted) return false;
    this.#take(wanted);
    done();
    return true;
  }

  #readRest(): boolean {
    if (this.#bodyBytes > BODY_LIMIT_BYTES) return this.#refuse("a body without an end");
    this.#take(this.#buffer.byteLength);
    return false;
  }

  #readChunkSize(head: Head): boolean {
    const end = this.#buffer.indexOf(CRLF);
    if (end < 0) return this.#buffer.byteLength > 1024 ? this.#refuse("a chunk size without an end") : false;
    const line = this.#buffer.subarray(0, end).toString("latin1");
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
    if (size === undefined) return this.#refuse(`chunk size ${JSON.stringify(line.slice(0, 40))}`);
    this.#buffer = this.#buffer.subarray(end + CRLF.byteLength);
    const bytes = Number.parseInt(size, 16);
    this.#state = bytes === 0 ? { at: "trailer", head } : { at: "chunk", head, bytes };
    return true;
  }

  #readChunk(head: Head, bytes: number): boolean {
    if (this.#buffer.byteLength < bytes + CRLF.byteLength) return false;
    if (!this.#buffer.subarray(bytes, bytes + CRLF.byteLength).equals(CRLF)) {
      return this.#refuse("a chunk that doesn't end where its size says");
    }
    this.#take(bytes);
    this.#buffer = this.#buffer.subarray(CRLF.byteLength);
    this.#chunks += 1;
    this.#state = { at: "chunk-size", head };
    return true;
  }

  #readTrailer(head: Head): boolean {
    const end = this.#buffer.indexOf(CRLF);
    if (end < 0)
      return this.#buffer.byteLength > HEAD_LIMIT_BYTES ? this.#refuse("a trailer without an end") : false;
    this.#buffer = this.#buffer.subarray(end + CRLF.byteLength);
    if (end === 0) this.#finish(head, "chunked");
    return true;
  }

  #take(bytes: number): void {
    this.#parts.push(this.#buffer.subarray(0, bytes));
    this.#bodyBytes += bytes;
    this.#buffer = this.#buffer.subarray(bytes);
  }

  #finish(head: Head, framing: Framing): void {
    this.result = {
      kind: "reply",
      reply: {
        ...head,
        framing,
        chunks: this.#chunks,
        body: Buffer.concat(this.#parts),
        interim: this.#interim,
      },
    };
  }
}

function values(headers: HeaderList, name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value.trim());
}

const STATUS_LINE = /^(HTTP\/\d\.\d) (\d{3})(?: .*)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/** A head without its last empty line, or what is wrong with it. */
function parseHead(text: string): Head | string {
  const [first = "", ...lines] = text.split("\r\n");
  const status = STATUS_LINE.exec(first);
  if (status === null) return `status line ${JSON.stringify(first.slice(0, 60))}`;
  const headers: (readonly [string, string])[] = [];
  for (const line of lines) {
    const match = HEADER_LINE.exec(line);
    if (match === null) return `header line ${JSON.stringify(line.slice(0, 60))}`;
    headers.push([match[1] ?? "", match[2] ?? ""]);
  }
  return { version: status[1] ?? "", status: Number(status[2]), headers };
}
