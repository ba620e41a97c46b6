import { createMemo, createSignal } from "solid-js";
import { createStore, reconcile, unwrap } from "solid-js/store";
import type { Filter, Todo } from "../../../todo/contract/data.ts";
import {
  countActive,
  initialState,
  reduceTodos,
  shownTodos,
  type TodoAction,
} from "../../_kit/client/todos.ts";

/** The app's whole state: the list, and what of it is shown. @param filter the one in force */
export function createTodos(todos: readonly Todo[], filter: () => Filter) {
  const [state, setState] = createStore(initialState(todos));
  const [search, setSearch] = createSignal("");
  const [reversed, setReversed] = createSignal(false);
  return {
    search,
    setSearch,
    reversed,
    flip: () => setReversed((before) => !before),
    active: createMemo(() => countActive(state.todos)),
    shown: createMemo(() =>
      shownTodos(state.todos, { filter: filter(), search: search(), reversed: reversed() }),
    ),
    /** What an action leaves alone stays the same object, and its element with it. */
    dispatch: (action: TodoAction) => setState(reconcile(reduceTodos(unwrap(state), action))),
  };
}
