/**
 * Bytes of a connection → one answer, strictly: nothing is repaired, and a breach of HTTP/1.1 is an outcome, never an
 * exception.
 */
import type { Framing, HeaderList, Outcome } from "../todo/contract/http.ts";

const CRLF = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
const HEAD_LIMIT_BYTES = 64 * 1024;
const CHUNK_LINE_LIMIT_BYTES = 1024;
/** Far above any right body: a server that never ends one fills no memory. */
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;
const INTERIM_LIMIT = 100;

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
export class ReplyParser {
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
  #trailerBytes = 0;

  constructor(method: string) {
    this.#method = method;
  }

  /** Something of an answer has come, and not its end. */
  get begun(): boolean {
    return this.result === null && (this.inBody || this.#interim.length > 0 || this.#buffer.byteLength > 0);
  }

  /** What came with the answer's last bytes and stands behind them. */
  get rest(): Buffer {
    return this.#buffer;
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

  /** Where `mark` stands in what has come. However the bytes were cut into pieces, the answer is the same. */
  #find(mark: Buffer, limit: number): number | "not yet" | "too far" {
    const at = this.#buffer.indexOf(mark);
    const least = at < 0 ? this.#buffer.byteLength - mark.byteLength + 1 : at;
    if (least > limit) return "too far";
    return at < 0 ? "not yet" : at;
  }

  #readHead(): boolean {
    const end = this.#find(HEAD_END, HEAD_LIMIT_BYTES);
    if (end === "too far") return this.#refuse("a head without an end");
    if (end === "not yet") return false;
    const text = this.#buffer.subarray(0, end).toString("latin1");
    this.#buffer = this.#buffer.subarray(end + HEAD_END.byteLength);
    const head = parseHead(text);
    if (typeof head === "string") return this.#refuse(head);
    if (head.status >= 100 && head.status < 200) {
      this.#interim.push(head.status);
      return this.#interim.length <= INTERIM_LIMIT || this.#refuse("1xx replies without an end");
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
    if (Number(length) > BODY_LIMIT_BYTES) return this.#refuse(`content-length ${length}`);
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
    this.#take(this.#buffer.byteLength);
    return this.#bodyBytes > BODY_LIMIT_BYTES ? this.#refuse("a body without an end") : false;
  }

  #readChunkSize(head: Head): boolean {
    const end = this.#find(CRLF, CHUNK_LINE_LIMIT_BYTES);
    if (end === "too far") return this.#refuse("a chunk size without an end");
    if (end === "not yet") return false;
    const line = this.#buffer.subarray(0, end).toString("latin1");
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
    if (size === undefined) return this.#refuse(`chunk size ${JSON.stringify(line.slice(0, 40))}`);
    this.#buffer = this.#buffer.subarray(end + CRLF.byteLength);
    const bytes = Number.parseInt(size, 16);
    if (this.#bodyBytes + bytes > BODY_LIMIT_BYTES) return this.#refuse("a body without an end");
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
    const end = this.#find(CRLF, HEAD_LIMIT_BYTES - this.#trailerBytes);
    if (end === "too far") return this.#refuse("a trailer without an end");
    if (end === "not yet") return false;
    this.#trailerBytes += end + CRLF.byteLength;
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

/** RFC 9110, section 5.5: a tab, and whatever isn't a control character. */
const TEXT = "[\\t\\x20-\\x7e\\x80-\\xff]*";
const STATUS_LINE = new RegExp(`^(HTTP/\\d\\.\\d) ([1-5]\\d\\d)(?: ${TEXT})?$`);
const HEADER_LINE = new RegExp(`^([!#$%&'*+.^_\`|~0-9A-Za-z-]+):(${TEXT})$`);

/** A head without its last empty line, or what is wrong with it. */
function parseHead(text: string): Head | string {
  const [first = "", ...lines] = text.split("\r\n");
  const status = STATUS_LINE.exec(first);
  if (status === null) return `status line ${JSON.stringify(first.slice(0, 60))}`;
  const headers: (readonly [string, string])[] = [];
  for (const line of lines) {
    const match = HEADER_LINE.exec(line);
    if (match === null) return `header line ${JSON.stringify(line.slice(0, 60))}`;
    headers.push([match[1] ?? "", (match[2] ?? "").trim()]);
  }
  return { version: status[1] ?? "", status: Number(status[2]), headers };
}
