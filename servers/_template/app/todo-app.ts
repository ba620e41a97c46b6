/** The app in the browser: holds the state, and shows it in the elements that the server sent. */
import { type Filter, remainingLabel, type Todo } from "../../../todo/contract/data.ts";
import { currentFilter, followFilter, subscribeToFilter } from "../../_kit/client/history.ts";
import {
  countActive,
  initialState,
  reduceTodos,
  shownTodos,
  type TodoAction,
} from "../../_kit/client/todos.ts";
import { itemMarkup } from "./markup.ts";

export class TodoApp {
  readonly #root: HTMLElement;
  readonly #list: HTMLElement;
  /** An item's element for as long as its todo exists, shown or not. */
  readonly #items = new Map<string, HTMLElement>();
  #state: ReturnType<typeof initialState>;
  #search = "";
  #reversed = false;

  constructor(root: HTMLElement, todos: readonly Todo[]) {
    this.#root = root;
    this.#list = this.#part(".todo-list");
    this.#state = initialState(todos);
    for (const item of this.#list.querySelectorAll<HTMLElement>("[data-todo]")) {
      this.#items.set(item.dataset.todo ?? "", item);
    }
  }

  /** Attaches all handlers: most of them once, at the root. */
  listen(): void {
    this.#root.addEventListener("click", (event) => this.#onClick(event));
    this.#root.addEventListener("input", (event) => this.#onInput(event));
    this.#root.addEventListener("keydown", (event) => this.#onKey(event));
    this.#root.addEventListener("focusout", (event) => this.#endEdit(event.target as Element, "save"));
    this.#part("form").addEventListener("submit", (event) => this.#onSubmit(event));
    subscribeToFilter(() => {
      const field = this.#root.querySelector("[data-edit-input]");
      if (field !== null) this.#endEdit(field, "save");
      this.#render();
    });
  }

  #onClick(event: MouseEvent): void {
    const target = (event.target as Element).closest<HTMLElement>("a, button, [data-toggle]");
    if (target === null) return;
    const id = target.closest<HTMLElement>("[data-todo]")?.dataset.todo ?? "";
    const { dataset } = target;
    if (dataset.filter !== undefined) followFilter(event, dataset.filter as Filter);
    else if (dataset.toggle !== undefined) this.#act({ type: "toggle", id });
    else if (dataset.delete !== undefined) this.#act({ type: "delete", id });
    else if (dataset.edit !== undefined) this.#edit(id);
    else if (dataset.toggleAll !== undefined) this.#act({ type: "toggle-all" });
    else if (dataset.clearCompleted !== undefined) this.#act({ type: "clear-completed" });
    else if (dataset.sort !== undefined) this.#reverse(target);
  }

  #onInput(event: Event): void {
    const field = event.target as HTMLInputElement;
    if (field.dataset.search === undefined) return;
    this.#search = field.value;
    this.#render();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Enter") this.#endEdit(event.target as Element, "save");
    else if (event.key === "Escape") this.#endEdit(event.target as Element, "restore");
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const field = this.#part<HTMLInputElement>("[data-new]");
    this.#act({ type: "add", text: field.value });
    field.value = "";
  }

  #reverse(button: HTMLElement): void {
    this.#reversed = !this.#reversed;
    button.ariaPressed = String(this.#reversed);
    this.#render();
  }

  #edit(id: string): void {
    const title = this.#items.get(id)?.querySelector<HTMLElement>("[data-title]");
    if (title == null) return;
    const field = document.createElement("input");
    field.className = "todo-field todo-field-wide";
    field.dataset.editInput = "";
    field.ariaLabel = "Title";
    field.value = title.textContent;
    title.replaceWith(field);
    field.focus();
  }

  /** Does nothing for any other element, and for a field that has had its end: removing it blurs it once more. */
  #endEdit(element: Element, how: "save" | "restore"): void {
    if (!(element instanceof HTMLInputElement) || element.dataset.editInput === undefined) return;
    const id = element.closest<HTMLElement>("[data-todo]")?.dataset.todo ?? "";
    delete element.dataset.editInput;
    const title = document.createElement("span");
    title.className = "todo-title";
    title.dataset.title = "";
    title.textContent = this.#state.todos.find((todo) => todo.id === id)?.title ?? "";
    const text = element.value;
    element.replaceWith(title);
    if (how === "save") this.#act({ type: "rename", id, text });
  }

  #act(action: TodoAction): void {
    this.#state = reduceTodos(this.#state, action);
    this.#render();
  }

  #render(): void {
    const { todos } = this.#state;
    const filter = currentFilter();
    this.#showItems(shownTodos(todos, { filter, search: this.#search, reversed: this.#reversed }));
    this.#part("[data-remaining]").textContent = remainingLabel(countActive(todos));
    for (const link of this.#root.querySelectorAll<HTMLElement>("[data-filter]")) {
      link.ariaCurrent = link.dataset.filter === filter ? "page" : null;
    }
  }

  #showItems(shown: readonly Todo[]): void {
    const wanted = shown.map((todo) => this.#itemOf(todo));
    const staying = new Set<Element>(wanted);
    for (const item of [...this.#list.children]) if (!staying.has(item)) item.remove();
    let next = this.#list.firstElementChild;
    for (const item of wanted) {
      if (item === next) next = next.nextElementSibling;
      else this.#list.insertBefore(item, next);
    }
  }

  /** The todo's element, brought up to date; made where there is none yet. */
  #itemOf(todo: Todo): HTMLElement {
    const item = this.#items.get(todo.id) ?? newItem(todo);
    this.#items.set(todo.id, item);
    item.dataset.completed = String(todo.completed);
    const box = item.querySelector<HTMLInputElement>("[data-toggle]");
    if (box !== null) box.checked = todo.completed;
    const title = item.querySelector("[data-title]");
    if (title !== null && title.textContent !== todo.title) title.textContent = todo.title;
    return item;
  }

  #part<Part extends HTMLElement = HTMLElement>(selector: string): Part {
    const part = this.#root.querySelector<Part>(selector);
    if (part === null) throw new Error(`The app has no ${selector}.`);
    return part;
  }
}

function newItem(todo: Todo): HTMLElement {
  const template = document.createElement("template");
  template.innerHTML = itemMarkup(todo);
  return template.content.firstElementChild as HTMLElement;
}
