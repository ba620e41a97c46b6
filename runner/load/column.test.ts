import assert from "node:assert/strict";
import { test } from "node:test";
import { Column } from "./column.ts";

test("a column gives back what was pushed, over its blocks' edges too", () => {
  for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
    const column = new Column();
    for (let value = 0; value < length; value += 1) column.push(value / 2);
    const all = column.toArray();
    assert.equal(all.length, length);
    assert.ok(all.every((value, index) => value === index / 2));
  }
});
