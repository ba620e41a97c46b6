import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTodos } from "../../../todo/contract/data.ts";
import {
  countActive,
  initialState,
  reduceTodos,
  shownTodos,
  type TodoAction,
  type TodoState,
} from "./todos.ts";

const START = initialState(makeTodos("2026-09-11T22:49:49.677Z"));
const ALL = { filter: "all", search: "", reversed: false } as const;

function after(...actions: readonly TodoAction[]): TodoState {
  return actions.reduce(reduceTodos, START);
}

test("a new todo goes to the front, trimmed, with a number never used before", () => {
  const { todos } = after(
    { type: "add", text: "one" },
    { type: "delete", id: "todo-101" },
    { type: "add", text: "  two " },
  );
  assert.deepEqual(todos[0], { id: "todo-102", title: "two", completed: false, variant: 0 });
  assert.equal(todos.length, 101);
  assert.equal(after({ type: "add", text: "  " }), START);
});

test("renaming trims; with nothing left it deletes", () => {
  const renamed = after({ type: "rename", id: "todo-002", text: " new " }).todos;
  assert.equal(renamed[1]?.title, "new");
  assert.equal(renamed[1]?.priority, START.todos[1]?.priority);
  assert.equal(after({ type: "rename", id: "todo-002", text: " " }).todos.length, 99);
});

test("toggle all completes all, or re-opens all where none is active", () => {
  const completed = after({ type: "toggle-all" });
  assert.equal(countActive(completed.todos), 0);
  assert.equal(countActive(reduceTodos(completed, { type: "toggle-all" }).todos), 100);
});

test("clearing deletes the completed ones, toggling changes one", () => {
  assert.equal(after({ type: "clear-completed" }).todos.length, 66);
  assert.equal(countActive(after({ type: "toggle", id: "todo-002" }).todos), 65);
});

test("filter, search and order combine", () => {
  const ids = (view: Partial<Parameters<typeof shownTodos>[1]>) =>
    shownTodos(START.todos, { ...ALL, ...view }).map((todo) => todo.id);
  assert.equal(ids({ filter: "active" }).length, 66);
  assert.equal(ids({ filter: "completed" }).length, 34);
  assert.equal(ids({ search: "tODO 09" }).length, 10);
  assert.deepEqual(ids({ search: "todo 09", filter: "completed", reversed: true }), [
    "todo-097",
    "todo-094",
    "todo-091",
  ]);
  assert.equal(ids({ reversed: true })[0], "todo-100");
  assert.equal(START.todos[0]?.id, "todo-001");
});
