import assert from "node:assert/strict";
import { test } from "node:test";
import { type Contender, placesOf } from "./places.ts";

function contender(adapter: string, median: number, low: number, high: number): Contender {
  return { adapter, median, interval: { low, high } };
}

test("a place ends at the first whose interval doesn't overlap that of its leader", () => {
  const places = placesOf([
    contender("third", 80, 75, 85),
    contender("first", 100, 95, 105),
    contender("second", 97, 90, 99),
    // Overlaps `second`, but not the leader of that place.
    contender("fourth", 92, 88, 94),
  ]);
  assert.deepEqual(
    [...places],
    [
      ["first", 1],
      ["second", 1],
      ["fourth", 3],
      ["third", 4],
    ],
  );
});

test("intervals that touch overlap", () => {
  const places = placesOf([contender("a", 100, 95, 105), contender("b", 90, 85, 95)]);
  assert.deepEqual([...places.values()], [1, 1]);
});

test("one without an interval leaves nobody a place", () => {
  const none = { adapter: "c", median: 1, interval: null };
  assert.equal(placesOf([contender("a", 100, 95, 105), none]).size, 0);
});

test("equal medians are in order of their names, whatever order they came in", () => {
  const [a, b] = [contender("a", 1, 1, 1), contender("b", 1, 1, 1)];
  assert.deepEqual([...placesOf([b, a])], [...placesOf([a, b])]);
});
