import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlan } from "./plan.ts";
import { TimeLeft } from "./time-left.ts";

test("the estimate begins with the windows and goes on with what visits took", () => {
  const plan = makePlan({ runtimeMode: "quick", filtered: false }, ["a"], { server: 0, others: [1] }, 1);
  let nowMs = 0;
  const timeLeft = new TimeLeft(plan, 3, () => nowMs);
  const windowsMs = 500 + 3 * 1000 + 1000 + 3000;
  assert.ok(timeLeft.leftMs() >= 3 * windowsMs);
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
