import assert from "node:assert/strict";
import { test } from "node:test";
import { divide } from "./divide.ts";

test("shares are the whole, and differ by one at most", () => {
  for (let total = 0; total <= 70; total += 1) {
    for (let parts = 1; parts <= 5; parts += 1) {
      const shares = divide(total, parts);
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        total,
      );
      for (const share of shares) {
        assert.ok(share === Math.floor(total / parts) || share === Math.ceil(total / parts));
      }
    }
  }
});
