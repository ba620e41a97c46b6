import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeTodos } from "./data.ts";
import {
  activeCount,
  addDraft,
  back,
  clearCompleted,
  follow,
  forward,
  type Model,
  openApp,
  remove,
  saveEdit,
  search,
  shownTodos,
  sort,
  startEdit,
  toggle,
  toggleAll,
  typeDraft,
  typeEdit,
  viewOf,
} from "./model.ts";

const OPEN = openApp(makeTodos("2026-09-11T22:49:49.677Z"));

function add(model: Model, title: string): Model {
  return addDraft(typeDraft(model, title));
}

function edit(model: Model, id: string, text: string): Model {
  return saveEdit(typeEdit(startEdit(model, id), text));
}

describe("the model", () => {
  it("opens with 100 todos, 66 of them active", () => {
    assert.equal(shownTodos(OPEN).length, 100);
    assert.equal(viewOf(OPEN).remaining, "66 items left");
    assert.equal(viewOf(OPEN).address, "/");
  });

  it("puts a new todo first, trimmed, without parts, and never uses an id again", () => {
    const one = add(OPEN, "  one ");
    assert.deepEqual(one.todos[0], { id: "todo-101", title: "one", completed: false, variant: 0 });
    assert.equal(one.draft, "");
    assert.equal(add(remove(one, "todo-101"), "two").todos[0]?.id, "todo-102");
    assert.equal(add(remove(OPEN, "todo-100"), "two").todos[0]?.id, "todo-101");
  });

  it("adds nothing for white space", () => {
    assert.equal(add(OPEN, " \t ").todos.length, 100);
  });

  it("saves the trimmed title, and deletes where nothing is left", () => {
    assert.equal(edit(OPEN, "todo-002", " new ").todos[1]?.title, "new");
    assert.equal(edit(OPEN, "todo-002", "  ").todos.length, 99);
    assert.equal(edit(OPEN, "todo-002", "x").editing, null);
  });

  it("searches without regard to case, together with the filter", () => {
    const found = shownTodos(search(follow(OPEN, "completed"), "tOdO 09"));
    assert.deepEqual(
      found.map(({ id }) => id),
      ["todo-091", "todo-094", "todo-097"],
    );
  });

  it("reverses what is shown, and back", () => {
    assert.equal(shownTodos(sort(OPEN))[0]?.id, "todo-100");
    assert.deepEqual(shownTodos(sort(sort(OPEN))), shownTodos(OPEN));
  });

  it("completes all, shown or not, and re-opens all if none is active", () => {
    const all = toggleAll(search(OPEN, "todo 001"));
    assert.equal(activeCount(all), 0);
    assert.equal(viewOf(all).remaining, "0 items left");
    assert.equal(activeCount(toggleAll(all)), 100);
    assert.equal(viewOf(toggle(all, "todo-050")).remaining, "1 item left");
  });

  it("clears the completed ones, shown or not", () => {
    assert.equal(clearCompleted(follow(OPEN, "active")).todos.length, 66);
  });

  it("goes back and forward through the filters followed; a new one forgets what was ahead", () => {
    const there = follow(follow(OPEN, "active"), "completed");
    assert.equal(back(there).filter, "active");
    assert.equal(back(back(there)).filter, "all");
    assert.equal(forward(back(there)).filter, "completed");
    assert.equal(forward(follow(back(there), "all")).filter, "all");
    assert.equal(back(OPEN), OPEN);
  });
});
