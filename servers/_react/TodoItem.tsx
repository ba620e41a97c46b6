import { type Dispatch, memo, useState } from "react";
import type { Todo } from "../../todo/contract/data.ts";
import type { TodoAction } from "../_kit/client/todos.ts";
import { EditTitle } from "./EditTitle.tsx";
import { Parts } from "./Parts.tsx";

interface Props {
  readonly todo: Todo;
  readonly dispatch: Dispatch<TodoAction>;
}

/** One item. Memoised: a change to one leaves the others alone. */
export const TodoItem = memo(function TodoItem({ todo, dispatch }: Props) {
  const [editing, setEditing] = useState(false);
  const { id, title, completed } = todo;

  function finishEditing(text: string | null): void {
    setEditing(false);
    if (text !== null) dispatch({ type: "rename", id, text });
  }

  return (
    <li className="todo-item" data-todo={id} data-variant={todo.variant} data-completed={completed}>
      <input
        type="checkbox"
        className="todo-toggle"
        data-toggle
        aria-label="Completed"
        checked={completed}
        onChange={() => dispatch({ type: "toggle", id })}
      />
      <div className="todo-body">
        {editing ? (
          <EditTitle title={title} onDone={finishEditing} />
        ) : (
          <span className="todo-title" data-title>
            {title}
          </span>
        )}
        <Parts todo={todo} />
      </div>
      <div className="todo-actions">
        <button
          type="button"
          className="todo-button todo-button-small"
          data-edit
          onClick={() => setEditing(true)}
        >
          Edit
        </button>
        <button
          type="button"
          className="todo-button todo-button-small todo-button-danger"
          data-delete
          onClick={() => dispatch({ type: "delete", id })}
        >
          Delete
        </button>
      </div>
    </li>
  );
});
