import assert from "node:assert/strict";
import { test } from "node:test";
import { requestNonce } from "../../todo/contract/data.ts";
import { nonceSource } from "./nonce.ts";

test("nonces are the contract's, all different, and none is part of another", () => {
  const sources = Array.from({ length: 5 }, nonceSource);
  const nonces = sources.flatMap((next) => Array.from({ length: 1_000 }, next));
  assert.equal(new Set(nonces).size, nonces.length);
  for (const nonce of nonces) {
    assert.equal(requestNonce(nonce), nonce);
    assert.equal(nonce.length, nonces[0]?.length);
  }
});

test("every digit of a nonce takes every value", () => {
  const next = nonceSource();
  const nonces = Array.from({ length: 2_000 }, next);
  for (let place = 0; place < next().length; place += 1) {
    // That one of 16 values is missed 2,000 times in a row happens once in 10^55.
    assert.equal(new Set(nonces.map((nonce) => nonce[place])).size, 16);
  }
});
