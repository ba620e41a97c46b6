import { onMount } from "solid-js";

interface Props {
  readonly title: string;
  /** Called once: with the text to save, or with null after Escape. */
  readonly onDone: (text: string | null) => void;
}

/** The field that stands in the title's place while it is edited. */
export function EditTitle(props: Props) {
  let field!: HTMLInputElement;
  // Removing a focused field may blur it once more: the first way out is the one that counts.
  let done = false;

  onMount(() => {
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  });

  function finish(text: string | null): void {
    if (done) return;
    done = true;
    props.onDone(text);
  }

  return (
    <input
      ref={field}
      class="todo-field todo-field-wide"
      data-edit-input
      aria-label="Title"
      value={props.title}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(event.currentTarget.value);
        else if (event.key === "Escape") finish(null);
      }}
      onBlur={(event) => finish(event.currentTarget.value)}
    />
  );
}
