/** The app: holds the state, and gives the template what it shows of it. */
import { observable, WebUIElement } from "@microsoft/webui-framework";
import { type Filter, remainingLabel, type Todo } from "../../../todo/contract/data.ts";
import { currentFilter, followFilter, subscribeToFilter } from "../../_kit/client/history.ts";
import {
  countActive,
  initialState,
  reduceTodos,
  shownTodos,
  type TodoAction,
  type TodoState,
} from "../../_kit/client/todos.ts";
import type { FrameworkTodoItem } from "./framework-todo-item.ts";
import type { TodoActionEvent } from "./todo-action.ts";

/** `<todo-app>`, as `templates/components/todo-app` binds it. One stands in the page, for as long as the page does. */
export class FrameworkTodoApp extends WebUIElement {
  // Declared, not initialized: a field of its own would hide the accessor on the prototype. The first values are the
  // server's state, which the framework reads from the page.
  /** What is shown, in its order. */
  declare todos: Todo[];
  /** At first, the todos that aren't shown. */
  declare others: readonly Todo[];
  declare remaining: string;
  declare reversed: boolean;
  /** `page` at the filter in force. */
  declare current: Readonly<Partial<Record<Filter, "page">>>;
  declare newField: HTMLInputElement;
  declare searchField: HTMLInputElement;

  #state: TodoState = initialState([]);

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = initialState(inOrder([...this.todos, ...this.others]));
    subscribeToFilter(() => this.#followed());
  }

  add(event: Event): void {
    event.preventDefault();
    if (this.#reduce({ type: "add", text: this.newField.value })) this.newField.value = "";
  }

  act(event: TodoActionEvent): void {
    this.#reduce(event.detail);
  }

  toggleAll(): void {
    this.#reduce({ type: "toggle-all" });
  }

  clearCompleted(): void {
    this.#reduce({ type: "clear-completed" });
  }

  flip(): void {
    this.reversed = !this.reversed;
    this.show();
  }

  follow(event: MouseEvent): void {
    const link = event.target;
    if (link instanceof HTMLAnchorElement) followFilter(event, link.dataset.filter as Filter);
  }

  #followed(): void {
    // History moves without taking the focus: a title that is being edited is left first, and so saved.
    const root = this.shadowRoot ?? this;
    for (const item of root.querySelectorAll<FrameworkTodoItem>("todo-item")) item.finish();
    this.show();
  }

  /** @returns whether anything has changed */
  #reduce(action: TodoAction): boolean {
    const before = this.#state;
    this.#state = reduceTodos(before, action);
    if (this.#state === before) return false;
    this.show();
    return true;
  }

  /** Gives the template what is to be shown now. */
  show(): void {
    const filter = currentFilter();
    const { todos } = this.#state;
    this.current = { [filter]: "page" };
    this.remaining = remainingLabel(countActive(todos));
    const view = { filter, search: this.searchField.value, reversed: this.reversed };
    this.todos = [...shownTodos(todos, view)];
  }
}

/** By their numbers, which all have three digits as they come from the server. */
function inOrder(todos: readonly Todo[]): Todo[] {
  return todos.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

for (const property of ["todos", "others", "remaining", "reversed", "current"]) {
  observable(FrameworkTodoApp.prototype, property);
}
