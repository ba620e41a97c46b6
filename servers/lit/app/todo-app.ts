import { html, LitElement, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type Filter, remainingLabel, type Todo } from "../../../todo/contract/data.ts";
import { currentFilter, subscribeToFilter } from "../../_kit/client/history.ts";
import { announceReady } from "../../_kit/client/ready.ts";
import {
  countActive,
  initialState,
  reduceTodos,
  shownTodos,
  type TodoAction,
  type TodoState,
} from "../../_kit/client/todos.ts";
import { filters } from "./filters.ts";
import type { TodoActionEvent } from "./todo-action.ts";
import type { TodoItem } from "./todo-item.ts";
import "./todo-item.ts";

/** `<todo-app>`: holds the state, and shows it with an element for each item. */
export class TodoApp extends LitElement {
  static override readonly properties = {
    todos: { attribute: false },
    filter: { attribute: false },
    stylesheet: { attribute: false },
    state: { state: true },
    search: { state: true },
    reversed: { state: true },
  };

  /** The list that the server sent. */
  declare todos: readonly Todo[];
  declare filter: Filter;
  declare stylesheet: string;
  declare protected state: TodoState;
  declare protected search: string;
  declare protected reversed: boolean;
  #unsubscribe: (() => void) | undefined;

  constructor() {
    super();
    this.search = "";
    this.reversed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = subscribeToFilter(() => {
      this.filter = currentFilter();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("todos")) this.state = initialState(this.todos);
  }

  protected override async firstUpdated(): Promise<void> {
    const items = this.renderRoot.querySelectorAll<TodoItem>("todo-item");
    await Promise.all(Array.from(items, (item) => item.updateComplete));
    announceReady(this);
  }

  protected override render() {
    const { todos } = this.state;
    return html`
      <link rel="stylesheet" href=${this.stylesheet}>
      <header class="todo-header">
        <h1 class="todo-heading">Todos</h1>
        <p class="todo-remaining" data-remaining aria-live="polite">${remainingLabel(countActive(todos))}</p>
      </header>
      <form class="todo-new" @submit=${this.#add}>
        <label class="todo-label">
          <span class="todo-unseen">New todo</span>
          <input class="todo-field todo-field-wide" data-new placeholder="What needs to be done?" autocomplete="off">
        </label>
        <button type="submit" class="todo-button todo-button-primary" data-add>Add</button>
      </form>
      <div class="todo-tools">
        ${filters(this.filter)}
        <button type="button" class="todo-button" data-toggle-all
          @click=${() => this.#act({ type: "toggle-all" })}>Toggle all</button>
        <button type="button" class="todo-button" data-clear-completed
          @click=${() => this.#act({ type: "clear-completed" })}>Clear completed</button>
      </div>
      ${this.#view()}
      <ul class="todo-list" @todo-action=${(event: TodoActionEvent) => this.#act(event.action)}>${this.#items()}</ul>`;
  }

  /** What chooses and orders the items shown. */
  #view() {
    return html`<search class="todo-tools">
      <label class="todo-label">
        <span class="todo-unseen">Search titles</span>
        <input type="search" class="todo-field todo-field-wide" data-search placeholder="Search titles"
          autocomplete="off" @input=${this.#find}>
      </label>
      <button type="button" class="todo-button" data-sort aria-pressed=${this.reversed}
        @click=${() => {
          this.reversed = !this.reversed;
        }}>Reverse order</button>
    </search>`;
  }

  #items() {
    const { filter, search, reversed, stylesheet } = this;
    return repeat(
      shownTodos(this.state.todos, { filter, search, reversed }),
      ({ id }) => id,
      (todo) => html`<li><todo-item class="todo-item" data-todo=${todo.id} data-variant=${todo.variant}
        data-completed=${todo.completed} .todo=${todo} .stylesheet=${stylesheet}></todo-item></li>`,
    );
  }

  #add(event: SubmitEvent): void {
    event.preventDefault();
    const field = this.renderRoot.querySelector<HTMLInputElement>("[data-new]");
    if (field === null || field.value.trim() === "") return;
    this.#act({ type: "add", text: field.value });
    field.value = "";
  }

  #find(event: InputEvent): void {
    this.search = (event.currentTarget as HTMLInputElement).value;
  }

  #act(action: TodoAction): void {
    this.state = reduceTodos(this.state, action);
  }
}

customElements.define("todo-app", TodoApp);
