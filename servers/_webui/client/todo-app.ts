/** The app: holds the state, and shows it in the content that the server rendered, from the first item that arrives. */
import { type Filter, remainingLabel } from "../../../todo/contract/data.ts";
import { currentFilter, followFilter, subscribeToFilter } from "../../_kit/client/history.ts";
import { type PageData, readPageData } from "../../_kit/client/json.ts";
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
import { TodoItem } from "./todo-item.ts";
import { TodoList } from "./todo-list.ts";

/** `<todo-app>`, as `templates/components/todo-app` has it. One stands in the page, for as long as the page does. */
export class TodoApp extends HTMLElement {
  static readonly tagName = "todo-app";

  #data: PageData = { filter: "all", nonce: "", todos: [] };
  #state: TodoState = initialState([]);
  /** Null until the list has begun to arrive. */
  #list: TodoList | null = null;
  #reversed = false;

  /** The page's data stands before the app, whose content may be still on its way. */
  connectedCallback(): void {
    this.#data = readPageData();
    this.#state = initialState(this.#data.todos);
    // Both events cross shadow roots, and are heard of whatever has arrived; Enter in the form clicks its button.
    this.addEventListener("click", (event) => this.#clicked(event));
    this.addEventListener("input", (event) => this.#typed(event));
    subscribeToFilter(() => this.#followed());
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.#arrived(), { once: true });
    } else {
      this.#arrived();
    }
  }

  #arrived(): void {
    this.#render();
    announceReady(this);
  }

  #clicked(event: MouseEvent): void {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return;
    const item = event.composedPath().find((one) => one instanceof TodoItem);
    if (item === undefined) this.#controlClicked(target, event);
    else this.#itemClicked(target, item);
  }

  #itemClicked(target: Element, item: TodoItem): void {
    const id = item.todoId;
    if (target.closest("[data-toggle]")) this.#act({ type: "toggle", id });
    else if (target.closest("[data-edit]")) item.edit((text) => this.#act({ type: "rename", id, text }));
    else if (target.closest("[data-delete]")) this.#act({ type: "delete", id });
  }

  #controlClicked(target: Element, event: MouseEvent): void {
    const link = target.closest<HTMLAnchorElement>("[data-filter]");
    if (link !== null) followFilter(event, link.dataset.filter as Filter);
    else if (target.closest("[data-add]")) this.#add(event);
    else if (target.closest("[data-sort]")) this.#flip();
    else if (target.closest("[data-toggle-all]")) this.#act({ type: "toggle-all" });
    else if (target.closest("[data-clear-completed]")) this.#act({ type: "clear-completed" });
  }

  #add(event: MouseEvent): void {
    // Nothing is sent to the server.
    event.preventDefault();
    const field = this.#part<HTMLInputElement>("[data-new]");
    if (this.#act({ type: "add", text: field.value })) field.value = "";
  }

  #flip(): void {
    this.#reversed = !this.#reversed;
    this.#render();
  }

  #typed(event: Event): void {
    const [target] = event.composedPath();
    if (target instanceof Element && target.closest("[data-search]")) this.#render();
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

  /** Shows the state in what has arrived. The list comes last: before it there is nothing to show it in. */
  #render(): void {
    const list = this.#arrivedList();
    if (list === null) return;
    const { todos } = this.#state;
    const filter = currentFilter();
    const search = this.#part<HTMLInputElement>("[data-search]").value;
    list.show(shownTodos(todos, { filter, search, reversed: this.#reversed }), todos);
    setText(this.#part("[data-remaining]"), remainingLabel(countActive(todos)));
    this.#part("[data-sort]").ariaPressed = String(this.#reversed);
    for (const link of contentOf(this).querySelectorAll<HTMLAnchorElement>("[data-filter]")) {
      link.ariaCurrent = link.dataset.filter === filter ? "page" : null;
    }
  }

  #arrivedList(): TodoList | null {
    const element = contentOf(this).querySelector<HTMLElement>(".todo-list");
    if (element !== null) this.#list ??= new TodoList(element, this.#data, domOf(this));
    return this.#list;
  }

  #part<Part extends HTMLElement = HTMLElement>(selector: string): Part {
    const part = contentOf(this).querySelector<Part>(selector);
    if (part === null) throw new Error(`The app has no ${selector}.`);
    return part;
  }
}

/** Leaves a text that is right already alone, so that nothing is announced anew. */
function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
