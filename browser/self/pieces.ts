/** The body that shows what becomes of its pieces on their way: each of them holds the moment at which it was written. */
import { setTimeout as delay } from "node:timers/promises";

export const PIECES = 10;
export const PACE_MS = 20;
/** Nanoseconds of the monotonic clock, which all threads share, with zeros before them. */
const PIECE_BYTES = 20;
const NS_PER_MS = 1e6;

/** Writes the pieces, one every 20 ms. */
export async function writePieces(out: NodeJS.WritableStream): Promise<void> {
  for (let piece = 0; piece < PIECES; piece += 1) {
    if (piece > 0) await delay(PACE_MS);
    out.write(String(process.hrtime.bigint()).padStart(PIECE_BYTES, "0"));
  }
  out.end();
}

export interface PiecesSeen {
  /** Of each piece that arrived, from its writing to its arrival. */
  readonly delaysMs: readonly number[];
  /** How many of them arrived without another one beside them. */
  readonly alone: number;
}

/** Reads a body of pieces to its end. */
export async function readPieces(body: AsyncIterable<Buffer>): Promise<PiecesSeen> {
  const delaysMs: number[] = [];
  let alone = 0;
  for await (const read of body) {
    const now = process.hrtime.bigint();
    if (read.byteLength === PIECE_BYTES) alone += 1;
    for (let at = 0; at + PIECE_BYTES <= read.byteLength; at += PIECE_BYTES) {
      const writtenAt = BigInt(read.toString("latin1", at, at + PIECE_BYTES));
      delaysMs.push(Number(now - writtenAt) / NS_PER_MS);
    }
  }
  return { delaysMs, alone };
}
