import { useEffect, useReducer, useState } from "preact/hooks";
import type { Filter, Todo } from "../../../todo/contract/data.ts";
import { currentFilter, subscribeToFilter } from "../../_kit/client/history.ts";
import { initialState, reduceTodos } from "../../_kit/client/todos.ts";

/** The app's whole state: the list, and what of it is shown. @param serverFilter the filter of the server's markup */
export function useTodos(serverTodos: readonly Todo[], serverFilter: Filter) {
  const [{ todos }, dispatch] = useReducer(reduceTodos, serverTodos, initialState);
  const [filter, setFilter] = useState(serverFilter);
  const [search, setSearch] = useState("");
  const [reversed, setReversed] = useState(false);

  useEffect(() => subscribeToFilter(() => setFilter(currentFilter())), []);

  return {
    todos,
    dispatch,
    view: { filter, search, reversed },
    setSearch,
    flip: () => setReversed((before) => !before),
  };
}
