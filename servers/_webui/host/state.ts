/** What the templates read, made afresh for every request: the Rust hosts' is `crates/page/src/state.rs`. */
import { makeTodos, remainingLabel } from "../../../todo/contract/data.ts";
import { scriptSafeJson } from "../../_kit/client/json.ts";
import { countActive, shownTodos } from "../../_kit/client/todos.ts";
import type { Page } from "../../_kit/server/site.ts";

/** The state of one page as JSON: the shown todos for the list, and all of them for the client to take over. */
export function pageState({ filter, nonce }: Page): string {
  const todos = makeTodos(new Date().toISOString());
  return JSON.stringify({
    request: nonce,
    current: { [filter]: "page" },
    reversed: false,
    remaining: remainingLabel(countActive(todos)),
    todos: shownTodos(todos, { filter, search: "", reversed: false }),
    data: scriptSafeJson({ filter, nonce, todos }),
  });
}
