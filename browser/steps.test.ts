import assert from "node:assert/strict";
import { test } from "node:test";
import { stepMs } from "./steps.ts";

test("a step's time goes from its last input to the frame after the last mutation", () => {
  assert.equal(stepMs({ inputMs: 100, frameMs: 116.5 }), 16.5);
});

test("without input, mutation or an order of the two there is none", () => {
  assert.equal(stepMs(null), null);
  assert.equal(stepMs({ inputMs: null, frameMs: 5 }), null);
  assert.equal(stepMs({ inputMs: 5, frameMs: null }), null);
  assert.equal(stepMs({ inputMs: 5, frameMs: 4 }), null);
});
