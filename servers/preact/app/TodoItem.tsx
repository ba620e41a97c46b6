import { type Dispatch, useState } from "preact/hooks";
import type { Todo } from "../../../todo/contract/data.ts";
import type { TodoAction } from "../../_kit/client/todos.ts";
import { EditTitle } from "./EditTitle.tsx";
import { Parts } from "./Parts.tsx";

interface Props {
  readonly todo: Todo;
  readonly dispatch: Dispatch<TodoAction>;
}

/** One item. */
export function TodoItem({ todo, dispatch }: Props) {
  const [editing, setEditing] = useState(false);
  const { id, title, completed } = todo;

  function finishEditing(text: string | null): void {
    setEditing(false);
    if (text !== null) dispatch({ type: "rename", id, text });
  }

  return (
    <li class="todo-item" data-todo={id} data-variant={todo.variant} data-completed={completed}>
      <input
        type="checkbox"
        class="todo-toggle"
        data-toggle
        aria-label="Completed"
        checked={completed}
        onInput={() => dispatch({ type: "toggle", id })}
      />
      <div class="todo-body">
        {editing ? (
          <EditTitle title={title} onDone={finishEditing} />
        ) : (
          <span class="todo-title" data-title>
            {title}
          </span>
        )}
        <Parts todo={todo} />
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
          onClick={() => dispatch({ type: "delete", id })}
        >
          Delete
        </button>
      </div>
    </li>
  );
}
