import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { goldenText } from "./golden.ts";

it("golden-todos.json is what golden.ts makes; else run: node todo/contract/golden.ts > todo/contract/golden-todos.json", async () => {
  assert.equal(await readFile(new URL("golden-todos.json", import.meta.url), "utf8"), goldenText());
});
