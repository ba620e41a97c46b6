import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptSafeJson } from "./json.ts";

test("JSON can't leave the script element it stands in", () => {
  const data = { note: "</script><!-- <script> & \u2028 é" };
  const json = scriptSafeJson(data);
  assert.doesNotMatch(json, /</);
  assert.deepEqual(JSON.parse(json), data);
});
