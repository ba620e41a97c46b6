/**
 * One connection slot of the load: an autocannon client with the guards that it lacks. Alone, it is blind to most of
 * what a faulty server does; each guard says what would happen without it. The slot always has either one request in
 * flight or no connection, and tells both by the monotonic clock.
 */
import { requestHead } from "../../harness/raw-http.ts";
import type { ErrorCounts } from "../../report/schema.ts";
import { FILTER_PATHS } from "../../todo/contract/data.ts";
import { get } from "../../todo/contract/http.ts";
import {
  type AutocannonClient,
  checkClient,
  loadClient,
  type ParsedHead,
  type ResponseParser,
} from "./autocannon.ts";
import { monotonicMs } from "./clock.ts";
import { type Framing, judge, judgeCutShort, type Outcome } from "./judge.ts";
import type { KeptReply, LoadTarget } from "./port.ts";
import type { LoadEvent } from "./tally.ts";

/** Before a reconnect that follows a connection that never came up: without it a dead server makes a spin. */
const RECONNECT_PAUSE_MS = 100;

/** Longer than any run: autocannon's own timeout counts after the next request has begun, so it never gets its turn. */
const NEVER_S = 1_000_000;

/** Hexadecimal digits, and perhaps an extension (RFC 9112, 7.1). */
const CHUNK_SIZE = /^[0-9a-f]+[ \t]*(?:;|$)/i;

export interface ConnectionSettings {
  /** The slot's number in this worker. */
  readonly slot: number;
  readonly target: LoadTarget;
  readonly timeoutMs: number;
  readonly nextNonce: () => string;
  readonly observer: ConnectionObserver;
}

export interface ConnectionObserver {
  /** Asked when a request begins: whether its answer's body is to be kept whole. */
  keepsBody(startMs: number): boolean;
  /** Told once for every event, in the order of their ends on this connection. */
  ended(event: LoadEvent, kept: KeptReply | null): void;
}

/** A request in flight and what has come of its answer. Times in ms on the monotonic clock, `sentAtMs` on the wall's. */
interface Exchange {
  readonly nonce: string;
  startMs: number;
  /** Null where the body isn't kept. */
  sentAtMs: number | null;
  firstByteMs: number | null;
  status: number;
  /** Of a reply that is kept. */
  head: ReplyHead | null;
  framing: Framing;
  closes: boolean;
  interim: boolean;
  nonceSeen: boolean;
  bodyBytes: number;
  readonly pieces: Buffer[];
}

export class Connection {
  readonly #settings: ConnectionSettings;
  /** The request before and after its nonce. */
  readonly #beforeNonce: string;
  readonly #afterNonce: string;
  #client: AutocannonClient | null = null;
  #autocannonConnect: () => void = () => undefined;
  #autocannonRequest: () => void = () => undefined;
  #open: Exchange | null = null;
  /** Since when the slot has had nothing in flight. */
  #waitingSinceMs: number;
  #dialledAtMs: number;
  #cameUp = false;
  /** The error that the socket has just told of; null for an orderly end. */
  #socketError: Error | null = null;
  /** Found while the parser runs, dealt with when it has returned. */
  #malformed = false;
  /** The answer that has just ended leaves the connection unfit for another request. */
  #spent = false;
  #redialTimer: NodeJS.Timeout | undefined;

  /** Connects at once. @throws Error where autocannon isn't as the guards need it */
  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    const [path, end] = requestHead(settings.target, get(`${FILTER_PATHS.all}?r=`)).split("?r=");
    this.#beforeNonce = `${path}?r=`;
    this.#afterNonce = end as string;
    this.#waitingSinceMs = monotonicMs();
    this.#dialledAtMs = this.#waitingSinceMs;
    const Client = loadClient();
    new Client({
      hostname: settings.target.host,
      port: settings.target.port,
      timeout: NEVER_S,
      setupClient: (client) => this.#guard(client),
    });
  }

  /** What the slot is at, when a window ends: since when, on the monotonic clock. */
  get state(): { readonly kind: "in-flight" | "waiting"; readonly sinceMs: number } {
    return this.#open
      ? { kind: "in-flight", sinceMs: this.#open.startMs }
      : { kind: "waiting", sinceMs: this.#waitingSinceMs };
  }

  /** Ends what takes too long; to be called every now and then. A connection that isn't taken counts as well. */
  sweep(nowMs: number): void {
    if (this.#open) {
      if (nowMs - this.#open.startMs >= this.#settings.timeoutMs) this.#fail("timeout", nowMs);
    } else if (this.#redialTimer === undefined && nowMs - this.#dialledAtMs >= this.#settings.timeoutMs) {
      this.#unsent("timeout", nowMs);
    }
  }

  /** Closes without a word: what was in flight isn't told of. */
  destroy(): void {
    clearTimeout(this.#redialTimer);
    this.#abandonSocket();
    this.#client?.destroy();
  }

  #guard(client: AutocannonClient): void {
    this.#client = client;
    const { _connect, _doRequest } = client;
    this.#autocannonConnect = () => _connect.call(client);
    this.#autocannonRequest = () => _doRequest.call(client);
    client.getRequestBuffer = () => this.#requestText();
    // A request belongs on a connected socket: autocannon would write at once, and its clock would run while the
    // server hasn't even accepted.
    client._doRequest = () => this.#requestWhenConnected();
    client.on("connError", (error: Error) => {
      this.#socketError = error;
    });
    client._connect = () => {
      this.#guardParser(client);
      // From here on it is called where the socket has failed or ended.
      client._connect = () => this.#connectionOver(monotonicMs());
      this.#autocannonConnect();
    };
  }

  #guardParser(client: AutocannonClient): void {
    const { parser } = client;
    const hooks = checkClient(client);
    client.timeoutTicker.clear();
    // Its own timeout is replaced by `sweep`; put back for every request, it costs time for nothing.
    client.timeoutTicker = { reschedule: () => undefined, clear: () => undefined };

    const headSeen = parser[hooks.kOnHeadersComplete] as (head: ParsedHead) => void;
    parser[hooks.kOnHeadersComplete] = (head: ParsedHead) => {
      this.#headEnded(head, parser);
      return headSeen(head);
    };
    // Autocannon's own appends each piece to one string, which is of no use here and the dearest thing it does.
    parser[hooks.kOnBody] = (piece: Buffer) => this.#bodyPiece(piece);
    const messageSeen = parser[hooks.kOnMessageComplete] as () => void;
    parser[hooks.kOnMessageComplete] = () => {
      // A 1xx isn't the answer: autocannon would take it for one, and be one answer ahead ever after.
      if (this.#open && this.#open.status < 200) {
        this.#open.interim = true;
        return;
      }
      if (this.#answerEnded(parser)) messageSeen();
    };

    const execute = parser.execute;
    parser.execute = (chunk) => {
      const result = execute.call(parser, chunk);
      // The parser returns its errors, and autocannon drops them: the connection would hang until its timeout.
      if (result instanceof Error || this.#malformed) this.#unparsable();
      return result;
    };
    const consumeLine = parser.consumeLine;
    parser.consumeLine = () => {
      const line = consumeLine.call(parser);
      // The parser takes whatever isn't a number for the last chunk, and the answer for a whole one.
      if (line !== undefined && parser.state === "BODY_CHUNKHEAD" && !CHUNK_SIZE.test(line)) {
        throw new Error(`not a chunk's size: ${line.slice(0, 40)}`);
      }
      return line;
    };
  }

  #requestText(): string {
    const exchange = this.#open as Exchange;
    const text = this.#beforeNonce + exchange.nonce + this.#afterNonce;
    if (exchange.sentAtMs !== null) exchange.sentAtMs = Date.now();
    exchange.startMs = monotonicMs();
    return text;
  }

  #requestWhenConnected(): void {
    const client = this.#client as AutocannonClient;
    if (this.#spent) {
      this.#redial(monotonicMs());
    } else if (client.conn.connecting) {
      client.conn.once("connect", () => this.#connected());
    } else {
      this.#send();
    }
  }

  #connected(): void {
    this.#cameUp = true;
    this.#send();
    const startMs = (this.#open as Exchange).startMs;
    this.#settings.observer.ended({ kind: "waiting", startMs: this.#waitingSinceMs, endMs: startMs }, null);
  }

  #send(): void {
    const client = this.#client as AutocannonClient;
    const nowMs = monotonicMs();
    this.#malformed = false;
    client.parser.headerSize = 0;
    this.#open = {
      nonce: this.#settings.nextNonce(),
      startMs: nowMs,
      sentAtMs: this.#settings.observer.keepsBody(nowMs) ? 0 : null,
      firstByteMs: null,
      status: 0,
      head: null,
      framing: "none",
      closes: false,
      interim: false,
      nonceSeen: false,
      bodyBytes: 0,
      pieces: [],
    };
    this.#autocannonRequest();
  }

  #headEnded(head: ParsedHead, parser: ResponseParser): void {
    const exchange = this.#open;
    if (!exchange) {
      this.#malformed = true;
      return;
    }
    exchange.status = head.statusCode;
    if (head.statusCode < 200) return;
    exchange.firstByteMs = monotonicMs();
    const length = parser.body_bytes;
    if (parser.isChunked) exchange.framing = "chunked";
    else if (length !== null) exchange.framing = "length";
    // The parser takes any text for a length, and a NaN makes it wait for ever.
    if (length !== null && !(Number.isSafeInteger(length) && length >= 0)) this.#malformed = true;
    // Without framing it says the same, for another reason.
    exchange.closes = !head.shouldKeepAlive && exchange.framing !== "none";
    if (exchange.sentAtMs !== null) exchange.head = replyHead(head);
  }

  #bodyPiece(piece: Buffer): void {
    const exchange = this.#open;
    if (!exchange) return;
    exchange.pieces.push(piece);
    exchange.bodyBytes += piece.length;
    exchange.nonceSeen ||= piece.includes(exchange.nonce, 0, "latin1");
  }

  /** Whether autocannon may go on to the next request. */
  #answerEnded(parser: ResponseParser): boolean {
    const endMs = monotonicMs();
    const exchange = this.#open;
    if (!exchange || this.#malformed) {
      this.#malformed = true;
      return false;
    }
    // Nothing has been asked for yet: bytes after the end belong to this answer, or to a second one that nobody wants.
    const surplus = parser.offset < parser.end;
    const outcome = judge({ ...exchange, surplus });
    this.#end(exchange, outcome, endMs);
    // After `Connection: close` autocannon would write into a socket that the server is closing; after a second
    // answer, or another request's, each one that follows would be taken for the answer to the next request.
    const mispaired = outcome.kind === "invalid" && outcome.fault === "nonce";
    this.#spent = exchange.closes || surplus || mispaired;
    return true;
  }

  #end(exchange: Exchange, outcome: Outcome, endMs: number): void {
    this.#open = null;
    this.#waitingSinceMs = endMs;
    const { nonce, startMs, firstByteMs, bodyBytes, sentAtMs, head, framing, pieces } = exchange;
    const kept =
      sentAtMs !== null && head !== null && framing !== "none" && outcome.kind === "completed"
        ? { nonce, ...head, framing, body: Buffer.concat(pieces), sentAtMs, endedAtMs: Date.now() }
        : null;
    this.#settings.observer.ended(
      { kind: "exchange", slot: this.#settings.slot, startMs, firstByteMs, endMs, outcome, bodyBytes },
      kept,
    );
  }

  /** The socket has failed or ended; autocannon would go on as if the open request were still to be answered. */
  #connectionOver(nowMs: number): void {
    if (!this.#cameUp) {
      this.#unsent("refused", nowMs);
      return;
    }
    if (this.#open) this.#end(this.#open, judgeClosed(this.#open, this.#socketError), nowMs);
    this.#redial(nowMs);
  }

  #fail(error: keyof ErrorCounts, nowMs: number): void {
    this.#end(this.#open as Exchange, { kind: "error", error }, nowMs);
    this.#redial(nowMs);
  }

  #unparsable(): void {
    const nowMs = monotonicMs();
    if (this.#open) this.#fail("unparsable", nowMs);
    else this.#redial(nowMs);
  }

  #unsent(error: keyof ErrorCounts, nowMs: number): void {
    this.#settings.observer.ended({ kind: "unsent", atMs: nowMs, error }, null);
    this.#abandonSocket();
    this.#redialTimer = setTimeout(() => {
      this.#redialTimer = undefined;
      this.#dial(monotonicMs());
    }, RECONNECT_PAUSE_MS);
  }

  #redial(nowMs: number): void {
    this.#abandonSocket();
    this.#dial(nowMs);
  }

  #dial(nowMs: number): void {
    this.#cameUp = false;
    this.#spent = false;
    this.#socketError = null;
    this.#dialledAtMs = nowMs;
    this.#autocannonConnect();
  }

  /**
   * Autocannon keeps the old socket's listeners, and one parser for all its sockets: half an answer from the old one
   * would swallow the first bytes of the new one, report a 200, and never recover.
   */
  #abandonSocket(): void {
    const client = this.#client as AutocannonClient;
    client._destroyConnection();
    client.conn.removeAllListeners("data");
    client.conn.removeAllListeners("connect");
    client.parser.initialize("RESPONSE");
    // Where the parser is in the middle of a chunk of the old socket, the rest of it is nobody's.
    client.parser.offset = client.parser.end;
  }
}

type ReplyHead = Pick<KeptReply, "version" | "status" | "headers">;

function replyHead({ versionMajor, versionMinor, statusCode, headers }: ParsedHead): ReplyHead {
  const pairs = Array.from({ length: headers.length / 2 }, (_, index): [string, string] => [
    headers[2 * index] as string,
    headers[2 * index + 1] as string,
  ]);
  return { version: `HTTP/${versionMajor}.${versionMinor}`, status: statusCode, headers: pairs };
}

function judgeClosed(exchange: Exchange, error: Error | null): Outcome {
  if (error) return { kind: "error", error: "reset" };
  if (exchange.firstByteMs === null) return judgeCutShort("missing");
  // Only the close tells its end: complete, as far as anybody can know, and wrong for that. Autocannon is silent.
  if (exchange.framing === "none") return judge({ ...exchange, surplus: false });
  return judgeCutShort("seen");
}
