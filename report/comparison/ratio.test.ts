import assert from "node:assert/strict";
import { test } from "node:test";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { independentRatio, mannWhitneyCounts } from "./ratio.ts";

test("the orders are counted as in the published tables", () => {
  assert.deepEqual(mannWhitneyCounts(2, 2), [1, 1, 2, 1, 1]);
  assert.deepEqual(mannWhitneyCounts(3, 2), [1, 1, 2, 2, 2, 1, 1]);
  const all = mannWhitneyCounts(6, 6).reduce((sum, count) => sum + count, 0);
  assert.equal(all, 924);
});

test("the ratio of equal samples is 1, of doubled ones 2, and swapped the reciprocal", () => {
  const one = [10, 11, 12, 13, 14, 15];
  const two = one.map((reading) => reading * 2);
  assert.ok(Math.abs(independentRatio(one, one).ratio - 1) < 1e-12);
  const forth = independentRatio(one, two);
  const back = independentRatio(two, one);
  assert.ok(Math.abs(forth.ratio - 2) < 1e-12);
  assert.ok(Math.abs(forth.ratio * back.ratio - 1) < 1e-12);
  assert.ok(forth.interval !== null && back.interval !== null);
  assert.ok(Math.abs(forth.interval.low * back.interval.high - 1) < 1e-12);
  assert.equal(forth.interval.level, back.interval.level);
});

test("fewer than six on a side have no interval", () => {
  assert.equal(independentRatio([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]).interval, null);
  assert.notEqual(independentRatio([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]).interval, null);
});

test("six and six: the level is that of the sixth quotient from either end", () => {
  // P(U <= 5) = 19 / 924 in the tables of Mann and Whitney.
  const { interval } = independentRatio([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]);
  assert.ok(interval !== null && Math.abs(interval.level - (1 - (2 * 19) / 924)) < 1e-12);
});

test("readings that aren't above 0, and none, are refused", () => {
  assert.throws(() => independentRatio([0], [1]), RangeError);
  assert.throws(() => independentRatio([], [1]), RangeError);
});

const TRIALS = 4_000;

for (const [n, m] of [
  [6, 6],
  [10, 10],
  [6, 12],
] as const) {
  test(`the interval of ${n} and ${m} holds the factor as often as it says, with heavy tails`, () => {
    const generator = xoroshiro128plus(n * 100 + m);
    // Pareto: readings that are now and then many times the usual.
    const pareto = (): number => (1 - uniformFloat64(generator)) ** (-1 / 1.5);
    const factor = 1.3;
    let held = 0;
    let level = 0;
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const { interval } = independentRatio(
        Array.from({ length: n }, pareto),
        Array.from({ length: m }, () => factor * pareto()),
      );
      assert.ok(interval !== null);
      level = interval.level;
      if (interval.low <= factor && factor <= interval.high) held += 1;
    }
    // Four standard errors of a share of that many trials.
    const tolerance = 4 * Math.sqrt((level * (1 - level)) / TRIALS);
    assert.ok(Math.abs(held / TRIALS - level) < tolerance, `${held / TRIALS} for ${level}`);
  });
}
