import assert from "node:assert/strict";
import { test } from "node:test";
import { firstDifference, withoutTimes } from "./same-bytes.ts";

const SENT_AT_MS = Date.parse("2026-09-11T22:49:49.677Z");
const ENDED_AT_MS = SENT_AT_MS + 20;

test("only times at which the body was made are left out", () => {
  const body = (iso: string, epochMs: number): string => `Todo 001 at ${iso},u:${epochMs},s:1`;
  assert.equal(
    withoutTimes(body("2026-09-11T22:49:49.680Z", SENT_AT_MS + 3), SENT_AT_MS, ENDED_AT_MS),
    "Todo 001 at ,u:,s:1",
  );
  for (const other of [SENT_AT_MS - 1, ENDED_AT_MS + 1, 123, SENT_AT_MS * 10]) {
    assert.equal(withoutTimes(`u:${other}`, SENT_AT_MS, ENDED_AT_MS), `u:${other}`);
  }
});

test("the first difference is where the texts can be cut, also behind an emoji", () => {
  assert.equal(firstDifference("🐟 a", "🐟 b"), "🐟 ".length);
  assert.equal(firstDifference("ab", "abc"), 2);
  assert.equal(firstDifference("abc", "ab"), 2);
});
