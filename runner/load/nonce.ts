/**
 * Nonces of random digits, all of one length: none is a part of another, so that a body that holds one can only be the
 * answer to that one request. Nothing in them tells whose they are or how many came before, the verifier's or the
 * load's, so that a server can't answer the two in two ways.
 */
import { randomFillSync } from "node:crypto";

/** 80 bits: among the hundred million requests of a long day, two would be alike once in a hundred million days. */
const BYTES = 10;
const NONCES_AT_ONCE = 400;

/** Endless nonces, unlike all others of this and of any other source. */
export function nonceSource(): () => string {
  const pool = Buffer.alloc(BYTES * NONCES_AT_ONCE);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += BYTES;
    return pool.toString("hex", at - BYTES, at);
  };
}
