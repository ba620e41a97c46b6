/** The list element's items: which of them stand in it, in which order. */
import type { Todo } from "../../../todo/contract/data.ts";
import type { PageData } from "../../_kit/client/json.ts";
import { shownTodos } from "../../_kit/client/todos.ts";
import type { Dom } from "./content.ts";
import { TodoItem } from "./todo-item.ts";

interface Row {
  readonly entry: HTMLLIElement;
  readonly item: TodoItem;
}

/** Keeps an item's elements while its todo exists, shown or not. */
export class TodoList {
  readonly #list: HTMLElement;
  readonly #dom: Dom;
  readonly #rows = new Map<string, Row>();
  /** What the server shows and hasn't arrived yet, by id. */
  readonly #awaited: Map<string, Todo>;

  /**
   * @param list holds the items that the server rendered, as many as have arrived
   * @param data what they were made from
   * @param dom where new items have their content
   */
  constructor(list: HTMLElement, { todos, filter }: PageData, dom: Dom) {
    this.#list = list;
    this.#dom = dom;
    const sent = shownTodos(todos, { filter, search: "", reversed: false });
    this.#awaited = new Map(sent.map((todo) => [todo.id, todo]));
  }

  /**
   * Makes the list show `shown`, in its order; forgets the elements of todos that aren't among `todos`. What hasn't
   * arrived is left to a later call.
   */
  show(shown: readonly Todo[], todos: readonly Todo[]): void {
    this.#takeOver();
    const entries = shown.flatMap((todo) => this.#entryOf(todo) ?? []);
    const staying = new Set<Element>(entries);
    for (const { entry } of this.#rows.values()) if (!staying.has(entry)) entry.remove();
    this.#forgetAllBut(todos);
    let next = this.#list.firstElementChild;
    for (const entry of entries) {
      if (entry === next) next = next.nextElementSibling;
      else this.#list.insertBefore(entry, next);
    }
  }

  /** Takes over the server's items that are here, but for the last while more of it may come. */
  #takeOver(): void {
    if (this.#awaited.size === 0) return;
    const parsing = document.readyState === "loading";
    for (const item of this.#list.querySelectorAll<TodoItem>(TodoItem.tagName)) {
      const entry = item.closest("li");
      const todo = this.#awaited.get(item.todoId);
      if (todo === undefined || entry === null || (parsing && entry.nextElementSibling === null)) continue;
      this.#awaited.delete(todo.id);
      item.takeOver(todo);
      this.#rows.set(todo.id, { entry, item });
    }
    if (!parsing && this.#awaited.size > 0) throw new Error("The page's list isn't that of its data.");
  }

  /** Saves the title that is being edited, if one is. */
  leaveEditing(): void {
    for (const { item } of this.#rows.values()) item.leaveEditing();
  }

  /** Null while the server's own is on its way. */
  #entryOf(todo: Todo): HTMLLIElement | null {
    const row = this.#rows.get(todo.id);
    if (row !== undefined) {
      row.item.show(todo);
      return row.entry;
    }
    if (this.#awaited.has(todo.id)) return null;
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
