import { useReducer, useState, useSyncExternalStore } from "react";
import type { Filter, Todo } from "../../todo/contract/data.ts";
import { currentFilter, subscribeToFilter } from "../_kit/client/history.ts";
import { initialState, reduceTodos } from "../_kit/client/todos.ts";

/** The app's whole state: the list, and what of it is shown. @param serverFilter the filter of the server's markup */
export function useTodos(todos: readonly Todo[], serverFilter: Filter) {
  const [state, dispatch] = useReducer(reduceTodos, todos, initialState);
  const filter = useSyncExternalStore(subscribeToFilter, currentFilter, () => serverFilter);
  const [search, setSearch] = useState("");
  const [reversed, setReversed] = useState(false);
  return {
    todos: state.todos,
    dispatch,
    view: { filter, search, reversed },
    setSearch,
    flip: () => setReversed((before) => !before),
  };
}
