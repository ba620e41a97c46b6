/** The app: holds the state, and gives the template what it shows of it. */
import { FASTElement } from "@microsoft/fast-element/fast-element.js";
import { Observable } from "@microsoft/fast-element/observable.js";
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
import type { FastTodoItem } from "./fast-todo-item.ts";
import type { TodoActionEvent } from "./todo-action.ts";

/** `<todo-app>`, as `templates/components/todo-app` binds it. One stands in the page, for as long as the page does. */
export class FastTodoApp extends FASTElement {
  // Declared, not initialized: a field of its own would hide the accessor on the prototype.
  /** What is shown, in its order. */
  declare todos: Todo[];
  declare remaining: string;
  declare reversed: boolean;
  /** `page` at the filter in force. */
  declare current: Readonly<Partial<Record<Filter, "page">>>;
  declare newField: HTMLInputElement;
  declare searchField: HTMLInputElement;

  #state: TodoState = initialState([]);

  override connectedCallback(): void {
    const { others, ...shown } = readState();
    Object.assign(this, shown);
    this.#state = initialState(inOrder([...shown.todos, ...others]));
    // FAST takes over the server's markup here, and binds it to what is set by now.
    super.connectedCallback();
    subscribeToFilter(() => this.#followed());
  }

  add(): void {
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

  /** @returns whether the click does what it does by itself */
  follow(event: MouseEvent): boolean {
    const link = event.target;
    if (link instanceof HTMLAnchorElement) followFilter(event, link.dataset.filter as Filter);
    return !event.defaultPrevented;
  }

  #followed(): void {
    // History moves without taking the focus: a title that is being edited is left first, and so saved.
    for (const item of this.shadowRoot?.querySelectorAll<FastTodoItem>("todo-item") ?? []) item.finish();
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
    this.#replace(shownTodos(todos, view));
  }

  /** One item added, removed or changed is told as that, so that FAST leaves the others alone. */
  #replace(next: readonly Todo[]): void {
    const { start, removed, added } = difference(this.todos, next);
    if (removed <= 1 && added <= 1) this.todos.splice(start, removed, ...next.slice(start, start + added));
    else this.todos = [...next];
  }
}

/** What stands between the equal beginnings and the equal ends of two lists. */
function difference(
  before: readonly Todo[],
  after: readonly Todo[],
): { readonly start: number; readonly removed: number; readonly added: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let equalEnd = 0;
  while (equalEnd < shorter - start && before.at(-1 - equalEnd) === after.at(-1 - equalEnd)) equalEnd += 1;
  return { start, removed: before.length - start - equalEnd, added: after.length - start - equalEnd };
}

/** The part of the server's state that the app starts with. */
interface ServerState extends Pick<FastTodoApp, "todos" | "remaining" | "reversed" | "current"> {
  /** The todos that aren't shown. */
  readonly others: readonly Todo[];
}

/** The state that WebUI wrote into the page. */
function readState(): ServerState {
  const element = document.getElementById("webui-data");
  if (element === null) throw new Error("The page has no #webui-data to hydrate from.");
  const { state } = JSON.parse(element.textContent) as { readonly state: ServerState };
  const { todos, others, remaining, reversed, current } = state;
  return { todos, others, remaining, reversed, current };
}

/** By their numbers, which all have three digits as they come from the server. */
function inOrder(todos: readonly Todo[]): Todo[] {
  return todos.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

for (const property of ["todos", "remaining", "reversed", "current"]) {
  Observable.defineProperty(FastTodoApp.prototype, property);
}
