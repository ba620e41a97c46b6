import assert from "node:assert/strict";
import { test } from "node:test";
import { alternate } from "./alternate.ts";

test("each round has a turn of both arms, and which comes first alternates", async () => {
  const taken: string[] = [];
  const arm = (name: string) => async (round: number) => {
    taken.push(`${name}${round}`);
    return `${name}${taken.length}`;
  };
  const pairs = await alternate(3, arm("a"), arm("b"), (round) => taken.push(`${round}:`));
  assert.deepEqual(taken, ["1:", "a1", "b1", "2:", "b2", "a2", "3:", "a3", "b3"]);
  assert.deepEqual(pairs, [
    ["a2", "b3"],
    ["a6", "b5"],
    ["a8", "b9"],
  ]);
});

test("an arm that fails ends it", async () => {
  const failing = async () => {
    throw new RangeError("no");
  };
  await assert.rejects(
    alternate(
      2,
      async () => 1,
      failing,
      () => undefined,
    ),
    RangeError,
  );
});
