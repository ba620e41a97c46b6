import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageData } from "../../_kit/client/json.ts";
import { pageState } from "./state.ts";

interface State {
  readonly request: string;
  readonly current: Readonly<Record<string, string>>;
  readonly remaining: string;
  readonly todos: readonly unknown[];
  readonly data?: string;
  readonly others?: readonly unknown[];
}

test("the list holds what is shown, and the data holds all", () => {
  for (const [filter, shown] of [
    ["all", 100],
    ["active", 66],
    ["completed", 34],
  ] as const) {
    const state = JSON.parse(pageState({ filter, nonce: "abc" }, "script")) as State;
    assert.equal(state.todos.length, shown);
    assert.deepEqual(state.current, { [filter]: "page" });
    assert.equal(state.request, "abc");
    assert.equal(state.remaining, "66 items left");
    assert(state.data !== undefined);
    assert.doesNotMatch(state.data, /</);
    const data = JSON.parse(state.data) as PageData;
    assert.equal(data.todos.length, 100);
    assert.deepEqual({ filter: data.filter, nonce: data.nonce }, { filter, nonce: "abc" });
  }
});

test("the state for a plugin holds each todo once", () => {
  for (const [filter, shown] of [
    ["all", 100],
    ["active", 66],
    ["completed", 34],
  ] as const) {
    const { todos, others, data } = JSON.parse(pageState({ filter, nonce: "abc" }, "state")) as State;
    assert.deepEqual([todos.length, others?.length, data], [shown, 100 - shown, undefined]);
  }
});
