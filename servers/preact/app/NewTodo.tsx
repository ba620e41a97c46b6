import { type Dispatch, useState } from "preact/hooks";
import type { TodoAction } from "../../_kit/client/todos.ts";

/** The new todo's field and its button. */
export function NewTodo({ dispatch }: { readonly dispatch: Dispatch<TodoAction> }) {
  const [text, setText] = useState("");
  return (
    <form
      class="todo-new"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        dispatch({ type: "add", text });
        setText("");
      }}
    >
      <label class="todo-label">
        <span class="todo-unseen">New todo</span>
        <input
          class="todo-field todo-field-wide"
          data-new
          placeholder="What needs to be done?"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="todo-button todo-button-primary" data-add>
        Add
      </button>
    </form>
  );
}
