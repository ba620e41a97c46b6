import { type Dispatch, useState } from "react";
import type { TodoAction } from "../_kit/client/todos.ts";

/** The new todo's field and its button. */
export function NewTodo({ dispatch }: { readonly dispatch: Dispatch<TodoAction> }) {
  const [text, setText] = useState("");
  return (
    <form
      className="todo-new"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        dispatch({ type: "add", text });
        setText("");
      }}
    >
      <label className="todo-label">
        <span className="todo-unseen">New todo</span>
        <input
          className="todo-field todo-field-wide"
          data-new
          placeholder="What needs to be done?"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="todo-button todo-button-primary" data-add>
        Add
      </button>
    </form>
  );
}
