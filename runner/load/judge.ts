/** What a complete answer is worth. Pure: the connection gathers, this decides. */
import type { ErrorCounts, InvalidCounts } from "../../report/schema.ts";

/** How one request ended. Each ends once. */
export type Outcome =
  | { readonly kind: "completed" }
  | { readonly kind: "non2xx" }
  | { readonly kind: "invalid"; readonly fault: keyof InvalidCounts }
  | { readonly kind: "error"; readonly error: keyof ErrorCounts };

/** How the end of a body is told: by Content-Length, by chunks, or only by the connection's close. */
export type Framing = "length" | "chunked" | "none";

/** What was seen of one answer, when it has ended. */
export interface Answer {
  readonly nonce: string;
  readonly status: number;
  readonly framing: Framing;
  /** The server said that it closes the connection, or speaks HTTP/1.0 without keep-alive. */
  readonly closes: boolean;
  /** A 1xx came before it. */
  readonly interim: boolean;
  /** Bytes came after its end, before anything else was asked for. */
  readonly surplus: boolean;
  /** The nonce stood whole in one piece of the body. */
  readonly nonceSeen: boolean;
  /** The body without its framing, in order. */
  readonly pieces: readonly Buffer[];
}

const COMPLETED: Outcome = { kind: "completed" };
const NON_2XX: Outcome = { kind: "non2xx" };
const INVALID = {
  interim: { kind: "invalid", fault: "interim" },
  connectionClose: { kind: "invalid", fault: "connectionClose" },
  noFraming: { kind: "invalid", fault: "noFraming" },
  length: { kind: "invalid", fault: "length" },
  nonce: { kind: "invalid", fault: "nonce" },
  sentinel: { kind: "invalid", fault: "sentinel" },
} as const satisfies Record<keyof InvalidCounts, Outcome>;

/**
 * The first thing wrong with a complete answer, in the order in which a reader of the stream meets it: status, 1xx,
 * head, length, nonce, end of the document.
 */
export function judge(answer: Answer): Outcome {
  if (answer.status < 200 || answer.status > 299) return NON_2XX;
  if (answer.interim) return INVALID.interim;
  if (answer.closes) return INVALID.connectionClose;
  if (answer.framing === "none") return INVALID.noFraming;
  if (answer.surplus) return INVALID.length;
  if (!answer.nonceSeen && !holds(answer.pieces, answer.nonce)) return INVALID.nonce;
  if (!endsDocument(answer.pieces)) return INVALID.sentinel;
  return COMPLETED;
}

/** Whether a text that no single piece holds stands across two of them. Joined only here: it is rare. */
function holds(pieces: readonly Buffer[], text: string): boolean {
  return pieces.length > 1 && Buffer.concat(pieces).includes(text, 0, "latin1");
}

const SENTINEL = Buffer.from("</html>", "latin1");

/** Whether the body ends with `</html>` and nothing but white space after it, however it was cut into pieces. */
export function endsDocument(pieces: readonly Buffer[]): boolean {
  let left = SENTINEL.length;
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index] as Buffer;
    for (let at = piece.length - 1; at >= 0; at -= 1) {
      const byte = piece[at] as number;
      if (left === SENTINEL.length && isWhiteSpace(byte)) continue;
      if (byte !== SENTINEL[left - 1]) return false;
      left -= 1;
      if (left === 0) return true;
    }
  }
  return false;
}

/** HTML's own: tab, line feed, form feed, carriage return, space. */
function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c;
}

/** An answer whose connection the server has ended (FIN), or whose request it never answered. */
export function judgeCutShort(head: "missing" | "seen"): Outcome {
  return { kind: "error", error: head === "missing" ? "closedInHead" : "closedInBody" };
}
