import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { forCheckout } from "./dialect.ts";
import { FAMILY } from "./paths.ts";

const template = (file: string): Promise<string> => readFile(path.join(FAMILY, "templates", file), "utf8");

test("the page's root keeps its mark where bare attributes are dropped", async () => {
  const page = await template("page/index.html");
  assert.match(page, /<todo-app class="todo-app" data-todo-app /);
  assert.match(forCheckout(page), /<todo-app class="todo-app" data-todo-app="data-todo-app" /);
});

test("each filter's link is written with aria-current and without, one of which is rendered", async () => {
  const app = forCheckout(await template("components/todo-app/todo-app.html"));
  assert.ok(!app.includes('aria-current="{{'));
  for (const filter of ["all", "active", "completed"]) {
    const [, open] =
      new RegExp(
        `<if condition="current.${filter}">(<a [^>]*data-filter="${filter}") aria-current="page">`,
      ).exec(app) ?? [];
    assert.ok(open !== undefined, filter);
    assert.ok(app.includes(`<if condition="!current.${filter}">${open}>`), filter);
  }
});

test("other templates stay as they are", async () => {
  const item = await template("components/todo-item/todo-item.html");
  assert.equal(forCheckout(item), item);
});
