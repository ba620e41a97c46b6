import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeLeft } from "./time-left.ts";

test("the estimate begins with the guess and goes on with what visits took", () => {
  let nowMs = 0;
  const timeLeft = new TimeLeft(7500, 3, () => nowMs);
  assert.equal(timeLeft.leftMs(), 3 * 7500);
  nowMs = 10_000;
  timeLeft.visited();
  assert.equal(timeLeft.leftMs(), 20_000);
  nowMs = 15_000;
  assert.equal(timeLeft.leftMs(), 15_000);
  nowMs = 30_000;
  timeLeft.visited();
  assert.equal(timeLeft.leftMs(), 15_000, "the mean of 10 and 20 s");
  nowMs = 50_000;
  assert.equal(timeLeft.leftMs(), 0, "a visit that takes longer than thought never makes it negative");
});
