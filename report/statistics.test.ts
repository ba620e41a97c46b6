import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { median, medianInterval, medianRanks, percentile, sum } from "./statistics.ts";

describe("percentile", () => {
  it("is the sorted value at index floor((n - 1) p)", () => {
    const sample = [50, 10, 40, 20, 30];
    assert.equal(percentile(sample, 0), 10);
    assert.equal(percentile(sample, 0.5), 30);
    assert.equal(percentile(sample, 0.74), 30);
    assert.equal(percentile(sample, 0.75), 40);
    assert.equal(percentile(sample, 1), 50);
    assert.deepEqual(sample, [50, 10, 40, 20, 30], "the sample itself stays as it was");
  });

  it("refuses an empty sample and a share outside 0 to 1", () => {
    assert.throws(() => percentile([], 0.5), RangeError);
    assert.throws(() => percentile([1], 95), RangeError);
    assert.throws(() => percentile([1], Number.NaN), RangeError);
  });
});

describe("median", () => {
  it("is the middle, or the mean of the two in the middle", () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.equal(median([10, 9]), 9.5);
    assert.throws(() => median([]), RangeError);
  });
});

describe("medianRanks", () => {
  it("claims nothing below six values", () => {
    for (const n of [0, 1, 2, 3, 4, 5]) assert.equal(medianRanks(n), null);
  });

  it("gives the second to the ninth of ten values, 97.9 %", () => {
    assert.deepEqual(medianRanks(10), { low: 2, high: 9, level: 1 - 22 / 1024 });
  });

  it("is the narrowest symmetric pair of at least 95 %", () => {
    for (let n = 6; n <= 100; n += 1) {
      const ranks = medianRanks(n);
      assert.ok(ranks !== null);
      assert.equal(ranks.low + ranks.high, n + 1);
      assert.ok(Math.abs(ranks.level - level(n, ranks.low)) < 1e-9, `n ${n}`);
      assert.ok(ranks.level >= 0.95);
      assert.ok(level(n, ranks.low + 1) < 0.95, `a narrower pair of ${n} would do`);
    }
  });
});

/** 1 - 2 P(B <= k - 1) with B binomial (n, 1/2), by Pascal's triangle in whole numbers. */
function level(n: number, k: number): number {
  let row = [1n];
  for (let i = 0; i < n; i += 1)
    row = [1n, ...row.slice(1).map((value, j) => value + (row[j] as bigint)), 1n];
  const below = row.slice(0, k).reduce((total, value) => total + value, 0n);
  return 1 - (2 * Number(below)) / Number(1n << BigInt(n));
}

describe("medianInterval", () => {
  it("is the range without a level for fewer than six values", () => {
    assert.deepEqual(medianInterval([5, 1, 3]), { low: 1, high: 5, level: null });
  });

  it("covers the true median as often as its level says, on heavy-tailed data", () => {
    const trials = 20_000;
    for (const n of [6, 10, 15]) {
      const random = xoroshiro128plus(20_261_130 + n);
      // A Pareto distribution with shape 1.1: no variance, barely a mean. Its median is 2^(1/1.1).
      const draw = () => (1 - uniformFloat64(random)) ** (-1 / 1.1);
      const truth = 2 ** (1 / 1.1);
      let covered = 0;
      let claimed = 0;
      for (let trial = 0; trial < trials; trial += 1) {
        const { low, high, level: stated } = medianInterval(Array.from({ length: n }, draw));
        claimed = stated ?? 0;
        if (low <= truth && truth <= high) covered += 1;
      }
      const standardError = Math.sqrt((claimed * (1 - claimed)) / trials);
      const coverage = covered / trials;
      assert.ok(
        Math.abs(coverage - claimed) < 4 * standardError,
        `n ${n}: covered ${coverage}, claimed ${claimed}`,
      );
    }
  });
});

describe("sum", () => {
  it("is 0 of nothing", () => {
    assert.equal(sum([]), 0);
    assert.equal(sum([1, 2, 3]), 6);
  });
});
