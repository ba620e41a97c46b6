import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  readonly title: string;
  /** Called once: with the text to save, or with null after Escape. */
  readonly onDone: (text: string | null) => void;
}

/** The field that stands in the title's place while it is edited. */
export function EditTitle({ title, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null);
  // Removing a focused field may blur it once more: the first way out is the one that counts.
  const done = useRef(false);

  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(title.length, title.length);
  }, [title]);

  function finish(text: string | null): void {
    if (done.current) return;
    done.current = true;
    onDone(text);
  }

  return (
    <input
      ref={field}
      class="todo-field todo-field-wide"
      data-edit-input
      aria-label="Title"
      value={title}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(event.currentTarget.value);
        else if (event.key === "Escape") finish(null);
      }}
      onBlur={(event) => finish(event.currentTarget.value)}
    />
  );
}
