import assert from "node:assert/strict";
import { test } from "node:test";
import { findChromium } from "./chromium.ts";

test("CHROMIUM_PATH is taken at its word, and nothing else instead of it", () => {
  assert.deepEqual(findChromium(process.execPath), { file: process.execPath, source: "CHROMIUM_PATH" });
  assert.equal(findChromium("/nowhere/chromium"), null);
});
