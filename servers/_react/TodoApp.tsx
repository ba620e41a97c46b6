import { useEffect, useRef } from "react";
import { type Filter, remainingLabel, type Todo } from "../../todo/contract/data.ts";
import { announceReady } from "../_kit/client/ready.ts";
import { countActive, shownTodos } from "../_kit/client/todos.ts";
import { type FilterLink, Filters } from "./Filters.tsx";
import { NewTodo } from "./NewTodo.tsx";
import { TodoItem } from "./TodoItem.tsx";
import { useTodos } from "./useTodos.ts";

interface Props {
  /** The list that the server sent. */
  readonly todos: readonly Todo[];
  /** The filter that the address shows, now. */
  readonly filter: Filter;
  readonly link: FilterLink;
  readonly nonce: string;
}

/** The whole app, on the server and in the browser. */
export function TodoApp(props: Props) {
  const { todos, dispatch, view, setSearch, flip } = useTodos(props.todos, props.filter);
  const root = useRef<HTMLElement>(null);

  // The root's effect is the last of all: everything below it has been hydrated by then.
  useEffect(() => {
    if (root.current !== null) announceReady(root.current);
  }, []);

  return (
    <main ref={root} className="todo-app" data-todo-app data-request={props.nonce}>
      <header className="todo-header">
        <h1 className="todo-heading">Todos</h1>
        <p className="todo-remaining" data-remaining aria-live="polite">
          {remainingLabel(countActive(todos))}
        </p>
      </header>
      <NewTodo dispatch={dispatch} />
      <div className="todo-tools">
        <Filters current={view.filter} link={props.link} />
        <button
          type="button"
          className="todo-button"
          data-toggle-all
          onClick={() => dispatch({ type: "toggle-all" })}
        >
          Toggle all
        </button>
        <button
          type="button"
          className="todo-button"
          data-clear-completed
          onClick={() => dispatch({ type: "clear-completed" })}
        >
          Clear completed
        </button>
      </div>
      <search className="todo-tools">
        <label className="todo-label">
          <span className="todo-unseen">Search titles</span>
          <input
            type="search"
            className="todo-field todo-field-wide"
            data-search
            placeholder="Search titles"
            value={view.search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <button type="button" className="todo-button" data-sort aria-pressed={view.reversed} onClick={flip}>
          Reverse order
        </button>
      </search>
      <ul className="todo-list">
        {shownTodos(todos, view).map((todo) => (
          <TodoItem key={todo.id} todo={todo} dispatch={dispatch} />
        ))}
      </ul>
    </main>
  );
}
