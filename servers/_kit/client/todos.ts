/** The app's state without any framework: a reducer over the list, and what of it is shown. */
import { type Filter, type Todo, todoId } from "../../../todo/contract/data.ts";

export interface TodoState {
  readonly todos: readonly Todo[];
  /** The highest number ever given to a todo: numbers aren't used again. */
  readonly lastNumber: number;
}

export type TodoAction =
  | { readonly type: "add"; readonly text: string }
  | { readonly type: "toggle"; readonly id: string }
  | { readonly type: "rename"; readonly id: string; readonly text: string }
  | { readonly type: "delete"; readonly id: string }
  | { readonly type: "toggle-all" }
  | { readonly type: "clear-completed" };

export interface View {
  readonly filter: Filter;
  readonly search: string;
  readonly reversed: boolean;
}

/** The state that a page starts with, holding the list that the server sent. */
export function initialState(todos: readonly Todo[]): TodoState {
  return { todos, lastNumber: todos.length };
}

/** The state after `action`; the same object where nothing changes. */
export function reduceTodos(state: TodoState, action: TodoAction): TodoState {
  switch (action.type) {
    case "add":
      return add(state, action.text.trim());
    case "toggle":
      return replace(state, action.id, (todo) => ({ ...todo, completed: !todo.completed }));
    case "rename":
      return rename(state, action.id, action.text.trim());
    case "delete":
      return { ...state, todos: state.todos.filter((todo) => todo.id !== action.id) };
    case "toggle-all":
      return toggleAll(state);
    case "clear-completed":
      return { ...state, todos: state.todos.filter((todo) => !todo.completed) };
  }
}

function add(state: TodoState, title: string): TodoState {
  if (title === "") return state;
  const lastNumber = state.lastNumber + 1;
  const todo: Todo = { id: todoId(lastNumber), title, completed: false, variant: 0 };
  return { todos: [todo, ...state.todos], lastNumber };
}

function rename(state: TodoState, id: string, title: string): TodoState {
  if (title === "") return { ...state, todos: state.todos.filter((todo) => todo.id !== id) };
  return replace(state, id, (todo) => (todo.title === title ? todo : { ...todo, title }));
}

function toggleAll(state: TodoState): TodoState {
  const completed = countActive(state.todos) > 0;
  const todos = state.todos.map((todo) => (todo.completed === completed ? todo : { ...todo, completed }));
  return { ...state, todos };
}

function replace(state: TodoState, id: string, change: (todo: Todo) => Todo): TodoState {
  return { ...state, todos: state.todos.map((todo) => (todo.id === id ? change(todo) : todo)) };
}

/** How many todos are active in all, whatever is shown. */
export function countActive(todos: readonly Todo[]): number {
  let active = 0;
  for (const todo of todos) if (!todo.completed) active += 1;
  return active;
}

/** The todos that `view` shows, in its order. */
export function shownTodos(todos: readonly Todo[], view: View): readonly Todo[] {
  const { filter, reversed } = view;
  const search = view.search.toLowerCase();
  const shown = todos.filter(
    (todo) =>
      (filter === "all" || todo.completed === (filter === "completed")) &&
      (search === "" || todo.title.toLowerCase().includes(search)),
  );
  return reversed ? shown.reverse() : shown;
}
