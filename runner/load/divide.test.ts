import assert from "node:assert/strict";
import { test } from "node:test";
import { divide } from "./divide.ts";

test("shares follow each other, and differ by one at most", () => {
  for (let total = 0; total <= 70; total += 1) {
    for (let parts = 1; parts <= 5; parts += 1) {
      const shares = divide(total, parts);
      let next = 0;
      for (const { first, count } of shares) {
        assert.equal(first, next);
        assert.ok(count === Math.floor(total / parts) || count === Math.ceil(total / parts));
        next += count;
      }
      assert.equal(next, total);
    }
  }
});
