import { createSignal } from "solid-js";
import type { Todo } from "../../../todo/contract/data.ts";
import type { TodoAction } from "../../_kit/client/todos.ts";
import { EditTitle } from "./EditTitle.tsx";
import { Parts } from "./Parts.tsx";

interface Props {
  readonly todo: Todo;
  readonly dispatch: (action: TodoAction) => void;
}

/** One item. */
export function TodoItem(props: Props) {
  const [editing, setEditing] = createSignal(false);

  function finishEditing(text: string | null): void {
    setEditing(false);
    if (text !== null) props.dispatch({ type: "rename", id: props.todo.id, text });
  }

  return (
    <li
      class="todo-item"
      data-todo={props.todo.id}
      data-variant={props.todo.variant}
      data-completed={String(props.todo.completed)}
    >
      <input
        type="checkbox"
        class="todo-toggle"
        data-toggle
        aria-label="Completed"
        autocomplete="off"
        checked={props.todo.completed}
        onChange={() => props.dispatch({ type: "toggle", id: props.todo.id })}
      />
      <div class="todo-body">
        {editing() ? (
          <EditTitle title={props.todo.title} onDone={finishEditing} />
        ) : (
          <span class="todo-title" data-title>
            {props.todo.title}
          </span>
        )}
        <Parts todo={props.todo} />
      </div>
      <div class="todo-actions">
        <button
          type="button"
          class="todo-button todo-button-small"
          data-edit
          onClick={() => setEditing(true)}
        >
          Edit
        </button>
        <button
          type="button"
          class="todo-button todo-button-small todo-button-danger"
          data-delete
          onClick={() => props.dispatch({ type: "delete", id: props.todo.id })}
        >
          Delete
        </button>
      </div>
    </li>
  );
}
