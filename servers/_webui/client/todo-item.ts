/** One item: takes over the content that the server rendered, or makes it. Clicks in it are the app's. */
import type { Todo } from "../../../todo/contract/data.ts";
import { contentOf, type Dom, fill } from "./content.ts";
import { itemContent } from "./item-content.ts";
import { TitleEditor } from "./title-editor.ts";

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
    item.show(todo);
    return item;
  }

  /** The id of the todo that the item shows, also before it was taken over. */
  get todoId(): string {
    return this.dataset.todo ?? "";
  }

  /** Takes over the content that the server rendered for `todo`. */
  takeOver(todo: Todo): void {
    this.#todo = todo;
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

  /** Puts a field in the title's place. @param save called with its text, at most once */
  edit(save: (text: string) => void): void {
    // The title isn't there while it is edited already.
    const title = contentOf(this).querySelector<HTMLElement>("[data-title]");
    if (title !== null) new TitleEditor(title, save);
  }

  /** Saves the title where it is being edited, as leaving the field does. */
  leaveEditing(): void {
    contentOf(this).querySelector<HTMLElement>("[data-edit-input]")?.blur();
  }

  #part<Part extends Element>(selector: string, type: new () => Part): Part {
    const part = contentOf(this).querySelector(selector);
    if (part instanceof type) return part;
    throw new Error(`${this.todoId} has no ${selector}.`);
  }
}
