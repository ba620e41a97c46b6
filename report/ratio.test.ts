import assert from "node:assert/strict";
import { test } from "node:test";
import { ratioOfPairs } from "./ratio.ts";

test("ratios are taken pair by pair, so that a drift of both arms cancels", () => {
  const pairs = [100, 200, 400, 50, 80, 160, 320].map((second) => [second * 1.1, second] as const);
  const { ratio, low, high, level, pairs: count } = ratioOfPairs(pairs);
  assert.deepEqual(
    [ratio, low, high].map((value) => value.toFixed(6)),
    ["1.100000", "1.100000", "1.100000"],
  );
  assert.equal(count, 7);
  assert.ok(level !== null && level > 0.95);
});

test("below six pairs there is a range and no level; no pair or a zero says nothing", () => {
  assert.deepEqual(
    ratioOfPairs([
      [1, 2],
      [3, 2],
    ]),
    { ratio: 1, low: 0.5, high: 1.5, level: null, pairs: 2 },
  );
  assert.throws(() => ratioOfPairs([]), RangeError);
  assert.throws(() => ratioOfPairs([[1, 0]]), RangeError);
});
