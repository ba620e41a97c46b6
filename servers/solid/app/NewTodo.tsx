import { createSignal } from "solid-js";

/** The new todo's field and its button. */
export function NewTodo(props: { readonly onAdd: (text: string) => void }) {
  const [text, setText] = createSignal("");

  function add(event: SubmitEvent): void {
    event.preventDefault();
    if (text().trim() === "") return;
    props.onAdd(text());
    setText("");
  }

  return (
    <form class="todo-new" onSubmit={add}>
      <label class="todo-label">
        <span class="todo-unseen">New todo</span>
        <input
          class="todo-field todo-field-wide"
          data-new
          placeholder="What needs to be done?"
          autocomplete="off"
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="todo-button todo-button-primary" data-add>
        Add
      </button>
    </form>
  );
}
