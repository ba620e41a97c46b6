import assert from "node:assert/strict";
import { test } from "node:test";
import { assertOwnName } from "./official-name.ts";

const OFFICIAL = { runtimeMode: "official", filtered: false } as const;
const QUICK = { runtimeMode: "quick", filtered: false } as const;
const FILTERED = { runtimeMode: "quick", filtered: true } as const;

test("only an official, unfiltered run writes under an official name, in whatever folder", () => {
  for (const name of [
    "ssr-todo-official.json",
    "ssr-todo-official-complete.json",
    "ssr-todo-browser-outcomes-official.json",
  ]) {
    assertOwnName(`/any/${name}`, OFFICIAL);
    assert.throws(() => assertOwnName(`/any/${name}`, QUICK), {
      code: "usage",
      message: /this run is quick/,
    });
    assert.throws(() => assertOwnName(`/any/${name}`, FILTERED), { message: /this run is filtered/ });
  }
  for (const name of ["mine.json", "ssr-todo-mine-official.json", "official.json"]) {
    assertOwnName(`/ssr-todo-official/${name}`, QUICK);
  }
});
