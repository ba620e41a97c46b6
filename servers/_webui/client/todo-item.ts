/** One item: takes over the content that the server rendered, or makes it. */
import type { Todo } from "../../../todo/contract/data.ts";
import type { TodoAction } from "../../_kit/client/todos.ts";
import { contentOf, type Dom, fill } from "./content.ts";
import { itemContent } from "./item-content.ts";
import { TitleEditor } from "./title-editor.ts";
import { TODO_ACTION } from "./todo-action.ts";

/** `<todo-item>`, as `templates/components/todo-item` has it. */
export class TodoItem extends HTMLElement {
  static readonly tagName = "todo-item";

  #todo: Todo | null = null;

  /** A new element for `todo`, with the content that the template would give it. */
  static create(todo: Todo, dom: Dom): TodoItem {
    const item = document.createElement(TodoItem.tagName) as TodoItem;
    item.className = "todo-item";
    item.dataset.todo = todo.id;
    item.dataset.variant = String(todo.variant);
    fill(item, dom, itemContent(todo));
    item.#listen();
    item.show(todo);
    return item;
  }

  /** Takes over the content that the server rendered for `todo`. */
  adopt(todo: Todo): void {
    this.#todo = todo;
    this.#listen();
  }

  /** Makes the element show `todo`, which has the same id and parts as before. */
  show(todo: Todo): void {
    const before = this.#todo;
    if (before === todo) return;
    this.#todo = todo;
    this.dataset.completed = String(todo.completed);
    this.#part("[data-toggle]", HTMLInputElement).checked = todo.completed;
    if (before?.title !== todo.title) this.#part("[data-title]", HTMLElement).textContent = todo.title;
  }

  /** Saves the title where it is being edited, as leaving the field does. */
  leaveEditing(): void {
    contentOf(this).querySelector<HTMLElement>("[data-edit-input]")?.blur();
  }

  #listen(): void {
    this.#part("[data-toggle]", HTMLElement).addEventListener("change", () =>
      this.#ask((id) => ({ type: "toggle", id })),
    );
    this.#part("[data-edit]", HTMLElement).addEventListener("click", () => this.#edit());
    this.#part("[data-delete]", HTMLElement).addEventListener("click", () =>
      this.#ask((id) => ({ type: "delete", id })),
    );
  }

  #edit(): void {
    // The title isn't there while it is edited already.
    const title = contentOf(this).querySelector<HTMLElement>("[data-title]");
    if (title === null) return;
    new TitleEditor(title, (text) => this.#ask((id) => ({ type: "rename", id, text })));
  }

  #ask(action: (id: string) => TodoAction): void {
    if (this.#todo === null) return;
    const detail = action(this.#todo.id);
    this.dispatchEvent(new CustomEvent(TODO_ACTION, { bubbles: true, composed: true, detail }));
  }

  #part<Part extends Element>(selector: string, type: new () => Part): Part {
    const part = contentOf(this).querySelector(selector);
    if (part instanceof type) return part;
    throw new Error(`${this.dataset.todo ?? "an item"} has no ${selector}.`);
  }
}
