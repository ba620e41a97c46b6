/**
 * The app as plain data: what every adapter's page must show after each act. Closed to adapters: a judge doesn't
 * share code with the judged.
 */
import { FILTER_PATHS, type Filter, remainingLabel, type Todo, todoId } from "./data.ts";

/** Frozen by its types; every act makes a new one. */
export interface Model {
  /** All todos, shown or not, in the unreversed order. */
  readonly todos: readonly Todo[];
  readonly filter: Filter;
  readonly search: string;
  readonly reversed: boolean;
  /** The item being edited, and its field's text. */
  readonly editing: { readonly id: string; readonly text: string } | null;
  /** Text of the new todo's field. */
  readonly draft: string;
  /** The highest number ever used in an id: ids of deleted items aren't used again. */
  readonly highest: number;
  /** Filters that history leads back and forward to, nearest first. */
  readonly past: readonly Filter[];
  readonly future: readonly Filter[];
}

/** What a page shows. */
export interface ShownState {
  /** In the order shown. */
  readonly items: readonly Todo[];
  readonly filter: Filter;
  readonly remaining: string;
  /** Text of `[data-new]`. */
  readonly newField: string;
  /** Text of `[data-search]`. */
  readonly searchField: string;
  /** The item being edited, and its field's text. */
  readonly editing: { readonly id: string; readonly text: string } | null;
}

/** What the whole page shows of a model, its address included. */
export interface ModelView extends ShownState {
  /** `/`, `/active` or `/completed`. */
  readonly address: string;
}

/** The app as it opens on `/` with these todos. */
export function openApp(todos: readonly Todo[]): Model {
  return {
    todos,
    filter: "all",
    search: "",
    reversed: false,
    editing: null,
    draft: "",
    highest: Math.max(0, ...todos.map(({ id }) => Number(id.slice("todo-".length)))),
    past: [],
    future: [],
  };
}

/** Whether a filter shows a todo. */
export function passesFilter(filter: Filter, todo: Pick<Todo, "completed">): boolean {
  return filter === "all" || todo.completed === (filter === "completed");
}

/** The todos shown, in the order shown. */
export function shownTodos(model: Model): Todo[] {
  const wanted = model.search.toLowerCase();
  const shown = model.todos.filter(
    (todo) => passesFilter(model.filter, todo) && todo.title.toLowerCase().includes(wanted),
  );
  return model.reversed ? shown.reverse() : shown;
}

/** Active todos in all, whatever is shown. */
export function activeCount(model: Model): number {
  return model.todos.filter(({ completed }) => !completed).length;
}

/** Everything that a page with this model shows. */
export function viewOf(model: Model): ModelView {
  return {
    items: shownTodos(model),
    filter: model.filter,
    address: FILTER_PATHS[model.filter],
    remaining: remainingLabel(activeCount(model)),
    newField: model.draft,
    searchField: model.search,
    editing: model.editing,
  };
}

/** Types into the new todo's field. */
export function typeDraft(model: Model, text: string): Model {
  return { ...model, draft: text };
}

/** Adds the draft to the front, trimmed; an empty one changes nothing. */
export function addDraft(model: Model): Model {
  const title = model.draft.trim();
  if (title === "") return model;
  const highest = model.highest + 1;
  const todo: Todo = { id: todoId(highest), title, completed: false, variant: 0 };
  return { ...model, todos: [todo, ...model.todos], highest, draft: "" };
}

/** Turns one todo's completed flag. */
export function toggle(model: Model, id: string): Model {
  return {
    ...model,
    todos: model.todos.map((todo) => (todo.id === id ? { ...todo, completed: !todo.completed } : todo)),
  };
}

export function remove(model: Model, id: string): Model {
  return { ...model, todos: model.todos.filter((todo) => todo.id !== id) };
}

/** Opens an item's field, holding its title. */
export function startEdit(model: Model, id: string): Model {
  const todo = model.todos.find((candidate) => candidate.id === id);
  return todo === undefined ? model : { ...model, editing: { id, text: todo.title } };
}

/** Types into the open edit field, in place of what it held. */
export function typeEdit(model: Model, text: string): Model {
  return model.editing === null ? model : { ...model, editing: { ...model.editing, text } };
}

/** Enter, or leaving the field: saves the trimmed title; with nothing left it deletes the item. */
export function saveEdit(model: Model): Model {
  if (model.editing === null) return model;
  const { id, text } = model.editing;
  const title = text.trim();
  const closed = { ...model, editing: null };
  if (title === "") return remove(closed, id);
  return { ...closed, todos: closed.todos.map((todo) => (todo.id === id ? { ...todo, title } : todo)) };
}

/** Escape: the old title stays. */
export function cancelEdit(model: Model): Model {
  return { ...model, editing: null };
}

/** Follows a filter's link. */
export function follow(model: Model, filter: Filter): Model {
  return { ...model, filter, past: [model.filter, ...model.past], future: [] };
}

/** History back; where there is nothing behind, nothing changes. */
export function back(model: Model): Model {
  const [filter, ...past] = model.past;
  return filter === undefined ? model : { ...model, filter, past, future: [model.filter, ...model.future] };
}

/** History forward; where there is nothing ahead, nothing changes. */
export function forward(model: Model): Model {
  const [filter, ...future] = model.future;
  return filter === undefined ? model : { ...model, filter, future, past: [model.filter, ...model.past] };
}

export function search(model: Model, text: string): Model {
  return { ...model, search: text };
}

/** Reverses the order shown; again, and it is the right way round. */
export function sort(model: Model): Model {
  return { ...model, reversed: !model.reversed };
}

/** Completes all todos, shown or not; re-opens all if none is active. */
export function toggleAll(model: Model): Model {
  const completed = activeCount(model) > 0;
  return { ...model, todos: model.todos.map((todo) => ({ ...todo, completed })) };
}

/** Deletes all completed todos, shown or not. */
export function clearCompleted(model: Model): Model {
  return { ...model, todos: model.todos.filter(({ completed }) => !completed) };
}
