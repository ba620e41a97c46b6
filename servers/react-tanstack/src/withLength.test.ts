import assert from "node:assert/strict";
import { test } from "node:test";
import { withLength } from "./withLength.ts";

test("a response of a string gets the length of its bytes, and keeps all else", async () => {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  const response = await withLength(new Response("é☕", { status: 404, headers }));
  assert.equal(response.status, 404);
  assert.deepEqual(Object.fromEntries(response.headers), { ...headers, "content-length": "5" });
  assert.equal(await response.text(), "é☕");
});
