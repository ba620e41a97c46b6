import assert from "node:assert/strict";
import { test } from "node:test";
import { requestNonce } from "../../todo/contract/data.ts";
import { nonceSource, RUN_PREFIX_DIGITS } from "./nonce.ts";

test("nonces are the contract's, all different, and none is part of another", () => {
  const prefix = "r".repeat(RUN_PREFIX_DIGITS);
  const sources = [0, 1, 35, 36, 127, 1295, 40_000].map((connection) => nonceSource(prefix, connection));
  const nonces = sources.flatMap((next) => Array.from({ length: 100 }, next));
  assert.equal(new Set(nonces).size, nonces.length);
  for (const nonce of nonces) {
    assert.equal(requestNonce(nonce), nonce);
    assert.equal(nonce.length, nonces[0]?.length);
  }
});
