import { computed, type Ref, ref, shallowRef } from "vue";
import type { Filter, Todo } from "../../todo/contract/data.ts";
import { countActive, initialState, reduceTodos, shownTodos, type TodoAction } from "../_kit/client/todos.ts";

/** The app's whole state: the list, and what of it is shown. @param filter the one in force */
export function useTodos(todos: readonly Todo[], filter: Ref<Filter>) {
  // Replaced as a whole, never changed in place: the items needn't be reactive one by one.
  const state = shallowRef(initialState(todos));
  const search = ref("");
  const reversed = ref(false);
  return {
    search,
    reversed,
    active: computed(() => countActive(state.value.todos)),
    shown: computed(() =>
      shownTodos(state.value.todos, {
        filter: filter.value,
        search: search.value,
        reversed: reversed.value,
      }),
    ),
    dispatch(action: TodoAction): void {
      state.value = reduceTodos(state.value, action);
    },
  };
}
