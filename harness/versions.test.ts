import assert from "node:assert/strict";
import { test } from "node:test";
import { isAtLeast, versionOf } from "./versions.ts";

test("versions compare by their numbers, not by their letters", () => {
  assert.ok(isAtLeast("111.0.5563.64", "111"));
  assert.ok(isAtLeast("111", "111"));
  assert.ok(isAtLeast("1.100.0", "1.95.0"));
  assert.ok(!isAtLeast("99.0.4844.51", "111"));
  assert.ok(!isAtLeast("1.94.1", "1.95.0"));
});

test("a program says its own version; one that isn't there or fails has none", async () => {
  assert.equal(await versionOf(process.execPath), process.versions.node);
  assert.equal(await versionOf("/nowhere/program"), null);
  assert.equal(await versionOf("/bin/false"), null);
});
