/** One item, as `templates/components/todo-item` binds it. */
import { observable, WebUIElement } from "@microsoft/webui-framework";
import type { Todo } from "../../../todo/contract/data.ts";
import type { TodoAction } from "../../_kit/client/todos.ts";
import { TODO_ACTION } from "./todo-action.ts";

export class FrameworkTodoItem extends WebUIElement {
  // Declared, not initialized: a field of its own would hide the accessor on the prototype.
  /** Set by the list, before the item is connected. */
  declare todo: Todo;
  /** Whether the field stands in the title's place. */
  declare editing: boolean;
  declare field: HTMLInputElement;

  toggle(): void {
    this.#ask({ type: "toggle", id: this.todo.id });
  }

  discard(): void {
    this.#ask({ type: "delete", id: this.todo.id });
  }

  edit(): void {
    this.editing = true;
    // The field is there after the framework's next round of updates.
    this.$flushUpdates();
    this.field.value = this.todo.title;
    this.field.focus();
  }

  onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Enter") this.finish();
    else if (event.key === "Escape") this.editing = false;
  }

  /** Saves the title. Removing a focused field may blur it once more: the first way out is the one that counts. */
  finish(): void {
    if (!this.editing) return;
    const text = this.field.value;
    this.editing = false;
    this.#ask({ type: "rename", id: this.todo.id, text });
  }

  #ask(detail: TodoAction): void {
    this.$emit(TODO_ACTION, detail);
  }
}

for (const property of ["todo", "editing"]) observable(FrameworkTodoItem.prototype, property);
