/** What the templates read, made afresh for every request: the Rust hosts' is `crates/page/src/state.rs`. */
import { makeTodos, remainingLabel } from "../../../todo/contract/data.ts";
import { scriptSafeJson } from "../../_kit/client/json.ts";
import { countActive, shownTodos } from "../../_kit/client/todos.ts";
import type { Page } from "../../_kit/server/site.ts";

/**
 * How the client gets what it takes over: in a `script` of the page's template, with all todos; or WebUI itself writes
 * the whole `state` into the page, for the client of a plugin: the shown todos are in it, and so are the others.
 */
export type ClientData = "script" | "state";

/** The state of one page as JSON: the shown todos for the list, and what else the client needs to have all of them. */
export function pageState({ filter, nonce }: Page, clientData: ClientData): string {
  const todos = makeTodos(new Date().toISOString());
  const shown = shownTodos(todos, { filter, search: "", reversed: false });
  return JSON.stringify({
    request: nonce,
    current: { [filter]: "page" },
    reversed: false,
    remaining: remainingLabel(countActive(todos)),
    todos: shown,
    ...(clientData === "script"
      ? { data: scriptSafeJson({ filter, nonce, todos }) }
      : { others: todos.filter((todo) => !shown.includes(todo)) }),
  });
}
