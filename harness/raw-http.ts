/**
 * A strict HTTP/1.1 client on a bare socket, for the verifier: it records what is on the wire, repairs nothing, and
 * never hangs. A breach of the protocol is data in the recorded exchange, never an exception.
 */
import net from "node:net";
import type { Exchange, Fault, HeaderList, Outcome, WireRequest } from "../todo/contract/http.ts";
import { ReplyParser } from "./reply-parser.ts";

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

/**
 * The head of a request as it goes on the wire. The verifier's and the load's are of this one form, so that a server
 * can't be right for the one and wrong for the other by what it is sent.
 */
export function requestHead({ host, port }: RawTarget, { method, target, headers }: WireRequest): string {
  const lines = [["Host", `${host}:${port}`], ...EVERY_REQUEST, ...headers].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

const EVERY_REQUEST: HeaderList = [
  ["Accept", "text/html"],
  ["Connection", "keep-alive"],
];

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
