import { html, LitElement, type PropertyValues } from "lit";
import type { Todo } from "../../../todo/contract/data.ts";
import { notePart, partsLine } from "./parts.ts";
import { TodoActionEvent } from "./todo-action.ts";

/** `<todo-item>`: one item, in a shadow root of its own. */
export class TodoItem extends LitElement {
  static override readonly properties = {
    todo: { attribute: false },
    stylesheet: { attribute: false },
    editing: { state: true },
  };

  declare todo: Todo;
  declare stylesheet: string;
  declare protected editing: boolean;

  constructor() {
    super();
    this.editing = false;
  }

  protected override render() {
    const { todo, stylesheet } = this;
    return html`
      <link rel="stylesheet" href=${stylesheet}>
      <input type="checkbox" class="todo-toggle" data-toggle aria-label="Completed" autocomplete="off"
        ?checked=${todo.completed} @change=${() => this.#ask({ type: "toggle", id: todo.id })}>
      <div class="todo-body">${this.editing ? this.#field() : this.#title()}${partsLine(todo)}${notePart(todo)}</div>
      <div class="todo-actions">
        <button type="button" class="todo-button todo-button-small" data-edit
          @click=${() => {
            this.editing = true;
          }}>Edit</button>
        <button type="button" class="todo-button todo-button-small todo-button-danger" data-delete
          @click=${() => this.#ask({ type: "delete", id: todo.id })}>Delete</button>
      </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    // The attribute is what a page without scripts shows, and a box that was clicked doesn't listen to it any more.
    // A binding of the property would be written into the markup too, as checked="false" where it is false.
    if (changed.has("todo")) this.#part("[data-toggle]").checked = this.todo.completed;
    if (changed.has("editing") && this.editing) this.#part("[data-edit-input]").focus();
  }

  #title() {
    return html`<span class="todo-title" data-title>${this.todo.title}</span>`;
  }

  #field() {
    return html`<input class="todo-field todo-field-wide" data-edit-input aria-label="Title" autocomplete="off"
      .value=${this.todo.title} @keydown=${this.#onKey} @blur=${this.#save}>`;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Enter") this.#save();
    else if (event.key === "Escape") this.editing = false;
  }

  /** Removing a focused field may blur it once more: the first way out is the one that counts. */
  #save(): void {
    if (!this.editing) return;
    this.editing = false;
    this.#ask({ type: "rename", id: this.todo.id, text: this.#part("[data-edit-input]").value });
  }

  #ask(action: TodoActionEvent["action"]): void {
    this.dispatchEvent(new TodoActionEvent(action));
  }

  #part(selector: string): HTMLInputElement {
    const part = this.renderRoot.querySelector<HTMLInputElement>(selector);
    if (part === null) throw new Error(`${this.todo.id} has no ${selector}.`);
    return part;
  }
}

customElements.define("todo-item", TodoItem);
