/** One item, as `templates/components/todo-item` binds it. */
import { FASTElement } from "@microsoft/fast-element/fast-element.js";
import { Observable } from "@microsoft/fast-element/observable.js";
import { Updates } from "@microsoft/fast-element/updates.js";
import type { Todo } from "../../../todo/contract/data.ts";
import type { TodoAction } from "../../_kit/client/todos.ts";
import { TODO_ACTION } from "./todo-action.ts";

export class FastTodoItem extends FASTElement {
  // Declared, not initialized: a field of its own would hide the accessor on the prototype.
  /** Set by the list, before the item is connected; another one when the list uses the element again. */
  declare todo: Todo;
  /** Whether the field stands in the title's place. */
  declare editing: boolean;
  declare field: HTMLInputElement;
  /** Not there before the item's first connection. */
  declare box: HTMLInputElement | undefined;

  todoChanged(before: Todo | undefined): void {
    if (before !== undefined && before.id !== this.todo.id) this.editing = false;
    // The attribute is bound, which a box that was ever clicked doesn't follow.
    if (this.box !== undefined) this.box.checked = this.todo.completed;
  }

  toggle(): void {
    this.#ask({ type: "toggle", id: this.todo.id });
  }

  discard(): void {
    this.#ask({ type: "delete", id: this.todo.id });
  }

  async edit(): Promise<void> {
    this.editing = true;
    // The field is there after FAST's next round of updates.
    await Updates.next();
    this.field.value = this.todo.title;
    this.field.focus();
  }

  /** @returns whether the key does what it does by itself */
  onKey(event: KeyboardEvent): boolean {
    if (event.isComposing) return true;
    if (event.key === "Enter") this.finish();
    else if (event.key === "Escape") this.editing = false;
    return true;
  }

  /** Saves the title. Removing a focused field may blur it once more: the first way out is the one that counts. */
  finish(): void {
    if (!this.editing) return;
    this.editing = false;
    this.#ask({ type: "rename", id: this.todo.id, text: this.field.value });
  }

  #ask(detail: TodoAction): void {
    this.$emit(TODO_ACTION, detail);
  }
}

for (const property of ["todo", "editing"]) Observable.defineProperty(FastTodoItem.prototype, property);
