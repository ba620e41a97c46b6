import { useSyncExternalStore } from "react";
import { FILTER_PATHS, type Filter, type Todo } from "../../todo/contract/data.ts";
import { currentFilter, followFilter, subscribeToFilter } from "../_kit/client/history.ts";
import type { FilterLinkProps } from "./Filters.tsx";
import { TodoApp } from "./TodoApp.tsx";

interface Props {
  readonly todos: readonly Todo[];
  /** The filter of the server's markup. */
  readonly filter: Filter;
  readonly nonce: string;
}

/** The whole app for where there is no router: the filter is in the address by `history` alone. */
export function HistoryTodoApp({ todos, filter: serverFilter, nonce }: Props) {
  const filter = useSyncExternalStore(subscribeToFilter, currentFilter, () => serverFilter);
  return <TodoApp todos={todos} filter={filter} link={HistoryLink} nonce={nonce} />;
}

function HistoryLink({ filter, ...attributes }: FilterLinkProps) {
  return <a {...attributes} href={FILTER_PATHS[filter]} onClick={(event) => followFilter(event, filter)} />;
}
