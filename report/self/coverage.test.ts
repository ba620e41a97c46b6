import assert from "node:assert/strict";
import { test } from "node:test";
import { coverageOf, SOURCES, type Source } from "./coverage.ts";

const TRIALS = 3000;

for (const source of SOURCES) {
  test(`intervals of medians hold what they say: ${source.name}`, () => {
    for (const n of [6, 10]) {
      const { level, covered, standardError } = coverageOf(source, n, TRIALS, 1);
      // The generator is seeded, so this can't fail by chance; four standard errors are what chance would allow.
      assert.ok(Math.abs(covered - level) <= 4 * standardError, `${n}: ${covered} for ${level}`);
    }
  });
}

test("an interval that is off its median is seen", () => {
  const [pareto] = SOURCES as [Source];
  const biased = { ...pareto, draw: (random: () => number) => pareto.draw(random) * 1.5 };
  const { level, covered } = coverageOf(biased, 10, TRIALS, 1);
  assert.ok(covered < level - 0.01, `${covered}`);
});

test("the same seed gives the same trials, and too few values claim nothing", () => {
  const [pareto] = SOURCES as [Source];
  assert.deepEqual(coverageOf(pareto, 10, 500, 3), coverageOf(pareto, 10, 500, 3));
  assert.throws(() => coverageOf(pareto, 5, 10, 1), RangeError);
});
