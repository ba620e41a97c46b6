import { createContext } from "svelte";
import type { Filter, Todo } from "../../../../todo/contract/data.ts";
import {
  countActive,
  initialState,
  reduceTodos,
  shownTodos,
  type TodoAction,
  type TodoState,
} from "../../../_kit/client/todos.ts";

/** The app's whole state: the list, and what of it is shown. It outlives the way between the pages. */
export class Todos {
  // Replaced as a whole, never changed in place: the items needn't be reactive one by one.
  #state: TodoState;
  search = $state("");
  reversed = $state(false);
  readonly active = $derived.by(() => countActive(this.#state.todos));

  constructor(todos: readonly Todo[]) {
    this.#state = $state.raw(initialState(todos));
  }

  shown(filter: Filter): readonly Todo[] {
    return shownTodos(this.#state.todos, { filter, search: this.search, reversed: this.reversed });
  }

  dispatch(action: TodoAction): void {
    this.#state = reduceTodos(this.#state, action);
  }
}

export const [getTodos, setTodos] = createContext<Todos>();
