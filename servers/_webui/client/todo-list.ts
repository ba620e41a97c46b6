/** The list element's items: which of them stand in it, in which order. */
import type { Todo } from "../../../todo/contract/data.ts";
import type { Dom } from "./content.ts";
import { TodoItem } from "./todo-item.ts";

/** Keeps an item's elements while its todo exists, shown or not. */
export class TodoList {
  readonly #list: HTMLElement;
  readonly #dom: Dom;
  /** The list entry and the item in it, by the todo's id. */
  readonly #rows = new Map<string, { readonly entry: HTMLLIElement; readonly item: TodoItem }>();

  /**
   * Takes over the items that the server rendered into `list`.
   *
   * @param dom where new items have their content
   */
  constructor(list: HTMLElement, todos: readonly Todo[], dom: Dom) {
    this.#list = list;
    this.#dom = dom;
    const byId = new Map(todos.map((todo) => [todo.id, todo]));
    for (const item of list.querySelectorAll<TodoItem>(TodoItem.tagName)) {
      const todo = byId.get(item.dataset.todo ?? "");
      const entry = item.closest("li");
      if (todo === undefined || entry === null) throw new Error("The page's list isn't that of its data.");
      item.adopt(todo);
      this.#rows.set(todo.id, { entry, item });
    }
  }

  /** Makes the list show `shown`, in its order; forgets the elements of todos that aren't among `todos`. */
  show(shown: readonly Todo[], todos: readonly Todo[]): void {
    this.#forgetAllBut(todos);
    const entries = shown.map((todo) => this.#entryOf(todo));
    const staying = new Set<Element>(entries);
    for (const entry of [...this.#list.children]) if (!staying.has(entry)) entry.remove();
    let next = this.#list.firstElementChild;
    for (const entry of entries) {
      if (entry === next) next = next.nextElementSibling;
      else this.#list.insertBefore(entry, next);
    }
  }

  /** Saves the title that is being edited, if one is. */
  leaveEditing(): void {
    for (const { item } of this.#rows.values()) item.leaveEditing();
  }

  #entryOf(todo: Todo): HTMLLIElement {
    const row = this.#rows.get(todo.id);
    if (row !== undefined) {
      row.item.show(todo);
      return row.entry;
    }
    const item = TodoItem.create(todo, this.#dom);
    const entry = document.createElement("li");
    entry.append(item);
    this.#rows.set(todo.id, { entry, item });
    return entry;
  }

  #forgetAllBut(todos: readonly Todo[]): void {
    const present = new Set(todos.map(({ id }) => id));
    for (const id of this.#rows.keys()) if (!present.has(id)) this.#rows.delete(id);
  }
}
