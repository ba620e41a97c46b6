import { useLocation } from "@solidjs/router";
import { For, onMount } from "solid-js";
import { filterOfPath, remainingLabel, type Todo } from "../../../todo/contract/data.ts";
import { announceReady } from "../../_kit/client/ready.ts";
import { createTodos } from "./createTodos.ts";
import { Filters } from "./Filters.tsx";
import { NewTodo } from "./NewTodo.tsx";
import { TodoItem } from "./TodoItem.tsx";

interface Props {
  readonly todos: readonly Todo[];
  readonly nonce: string;
}

/** The whole app, on the server and in the browser. */
export function TodoApp(props: Props) {
  const location = useLocation();
  const { search, setSearch, reversed, flip, active, shown, dispatch } = createTodos(
    props.todos,
    () => filterOfPath(location.pathname) ?? "all",
  );
  let root!: HTMLElement;

  onMount(() => announceReady(root));

  return (
    <main ref={root} class="todo-app" data-todo-app data-request={props.nonce}>
      <header class="todo-header">
        <h1 class="todo-heading">Todos</h1>
        <p class="todo-remaining" data-remaining aria-live="polite">
          {remainingLabel(active())}
        </p>
      </header>
      <NewTodo onAdd={(text) => dispatch({ type: "add", text })} />
      <div class="todo-tools">
        <Filters />
        <button
          type="button"
          class="todo-button"
          data-toggle-all
          onClick={() => dispatch({ type: "toggle-all" })}
        >
          Toggle all
        </button>
        <button
          type="button"
          class="todo-button"
          data-clear-completed
          onClick={() => dispatch({ type: "clear-completed" })}
        >
          Clear completed
        </button>
      </div>
      <search class="todo-tools">
        <label class="todo-label">
          <span class="todo-unseen">Search titles</span>
          <input
            type="search"
            class="todo-field todo-field-wide"
            data-search
            placeholder="Search titles"
            value={search()}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
        <button type="button" class="todo-button" data-sort aria-pressed={reversed()} onClick={flip}>
          Reverse order
        </button>
      </search>
      <ul class="todo-list">
        <For each={shown()}>{(todo) => <TodoItem todo={todo} dispatch={dispatch} />}</For>
      </ul>
    </main>
  );
}
