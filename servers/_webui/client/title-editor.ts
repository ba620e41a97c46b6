/** The field that stands in a title's place while it is edited. */

export class TitleEditor {
  readonly #title: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #save: (text: string) => void;
  /** Removing a focused field may blur it once more: the first way out is the one that counts. */
  #done = false;

  /**
   * Puts the field in the place of `title` and focuses it. Enter and leaving the field put the title back and save;
   * Escape only puts it back.
   *
   * @param save called with the field's text, at most once
   */
  constructor(title: HTMLElement, save: (text: string) => void) {
    this.#title = title;
    this.#save = save;
    this.#field = makeField(title.textContent);
    this.#field.addEventListener("keydown", (event) => this.#onKey(event));
    this.#field.addEventListener("blur", () => this.#finish("save"));
    title.replaceWith(this.#field);
    this.#field.focus();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Enter") this.#finish("save");
    else if (event.key === "Escape") this.#finish("restore");
  }

  #finish(how: "save" | "restore"): void {
    if (this.#done) return;
    this.#done = true;
    const text = this.#field.value;
    this.#field.replaceWith(this.#title);
    if (how === "save") this.#save(text);
  }
}

function makeField(text: string): HTMLInputElement {
  const field = document.createElement("input");
  field.className = "todo-field todo-field-wide";
  field.dataset.editInput = "";
  field.ariaLabel = "Title";
  field.autocomplete = "off";
  field.value = text;
  return field;
}
