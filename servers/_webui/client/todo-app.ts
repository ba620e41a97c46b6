/** The app: holds the state, and shows it in the content that the server rendered. */
import { type Filter, remainingLabel } from "../../../todo/contract/data.ts";
import { currentFilter, followFilter, subscribeToFilter } from "../../_kit/client/history.ts";
import { readPageData } from "../../_kit/client/json.ts";
import { announceReady } from "../../_kit/client/ready.ts";
import {
  countActive,
  initialState,
  reduceTodos,
  shownTodos,
  type TodoAction,
  type TodoState,
} from "../../_kit/client/todos.ts";
import { contentOf, domOf } from "./content.ts";
import { TODO_ACTION, type TodoActionEvent } from "./todo-action.ts";
import { TodoList } from "./todo-list.ts";

/** `<todo-app>`, as `templates/components/todo-app` has it. One stands in the page, for as long as the page does. */
export class TodoApp extends HTMLElement {
  static readonly tagName = "todo-app";

  #state: TodoState = initialState([]);
  #list: TodoList | null = null;
  #search = "";
  #reversed = false;

  connectedCallback(): void {
    const { todos } = readPageData();
    this.#state = initialState(todos);
    this.#list = new TodoList(this.#part(".todo-list"), todos, domOf(this));
    this.#listen();
    announceReady(this);
  }

  #listen(): void {
    this.addEventListener(TODO_ACTION, (event) => this.#act((event as TodoActionEvent).detail));
    this.#listenToNew();
    for (const link of this.#links()) {
      link.addEventListener("click", (event) => followFilter(event, link.dataset.filter as Filter));
    }
    subscribeToFilter(() => this.#followed());
    const search = this.#part<HTMLInputElement>("[data-search]");
    search.addEventListener("input", () => {
      this.#search = search.value;
      this.#render();
    });
    this.#onClick("[data-sort]", () => {
      this.#reversed = !this.#reversed;
      this.#render();
    });
    this.#onClick("[data-toggle-all]", () => this.#act({ type: "toggle-all" }));
    this.#onClick("[data-clear-completed]", () => this.#act({ type: "clear-completed" }));
  }

  #listenToNew(): void {
    const field = this.#part<HTMLInputElement>("[data-new]");
    this.#part("form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#act({ type: "add", text: field.value })) field.value = "";
    });
  }

  #onClick(selector: string, listener: () => void): void {
    this.#part(selector).addEventListener("click", listener);
  }

  #followed(): void {
    // History moves without taking the focus: a title that is being edited is left first, and so saved.
    this.#list?.leaveEditing();
    this.#render();
  }

  /** @returns whether anything has changed */
  #act(action: TodoAction): boolean {
    const before = this.#state;
    this.#state = reduceTodos(before, action);
    if (this.#state === before) return false;
    this.#render();
    return true;
  }

  #render(): void {
    const { todos } = this.#state;
    const filter = currentFilter();
    this.#list?.show(shownTodos(todos, { filter, search: this.#search, reversed: this.#reversed }), todos);
    this.#part("[data-remaining]").textContent = remainingLabel(countActive(todos));
    this.#part("[data-sort]").ariaPressed = String(this.#reversed);
    for (const link of this.#links()) link.ariaCurrent = link.dataset.filter === filter ? "page" : null;
  }

  #links(): NodeListOf<HTMLAnchorElement> {
    return contentOf(this).querySelectorAll<HTMLAnchorElement>("[data-filter]");
  }

  #part<Part extends HTMLElement = HTMLElement>(selector: string): Part {
    const part = contentOf(this).querySelector<Part>(selector);
    if (part === null) throw new Error(`The app has no ${selector}.`);
    return part;
  }
}
