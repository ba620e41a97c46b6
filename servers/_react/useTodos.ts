import { useReducer, useState } from "react";
import type { Filter, Todo } from "../../todo/contract/data.ts";
import { initialState, reduceTodos } from "../_kit/client/todos.ts";

/** The app's whole state: the list, and what of it is shown. @param filter the filter that the address shows */
export function useTodos(todos: readonly Todo[], filter: Filter) {
  const [state, dispatch] = useReducer(reduceTodos, todos, initialState);
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
