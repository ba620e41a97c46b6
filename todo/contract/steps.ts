/**
 * The 29 steps: for each, the acts as plain data that a browser runner carries out, and what the page must show after
 * every one of them. Planned ahead from the seed, so that all products of a round get the same.
 */
import { type Filter, makeTodos, type Todo } from "./data.ts";
import {
  addDraft,
  back,
  cancelEdit,
  clearCompleted,
  follow,
  forward,
  type Model,
  type ModelView,
  openApp,
  remove,
  saveEdit,
  search,
  shownTodos,
  sort,
  startEdit,
  toggle,
  toggleAll,
  typeDraft,
  typeEdit,
  viewOf,
} from "./model.ts";
import { seededRandom } from "./random.ts";

/** One element: `selector` inside the item `item`, or inside the app where that is null. Open shadow roots are pierced. */
export interface Target {
  readonly item: string | null;
  readonly selector: string;
}

export type Key = "Enter" | "Escape" | "Tab";

/** What a person does. */
export type Act =
  /** Opens the path and waits until the page is ready. */
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "click"; readonly target: Target }
  /** Types over whatever the field holds; an empty text clears it. */
  | { readonly kind: "type"; readonly target: Target; readonly text: string }
  /** Presses a key in the field. */
  | { readonly kind: "press"; readonly target: Target; readonly key: Key }
  | { readonly kind: "history"; readonly direction: "back" | "forward" };

/** An act, and what the page must show when it has been answered. */
export interface PlannedAct {
  readonly act: Act;
  readonly after: ModelView;
}

export type StepGroup = "opening" | "interaction" | "navigation";

export interface PlannedStep {
  /** 1 to 29. */
  readonly n: number;
  readonly title: string;
  readonly group: StepGroup;
  /** `mutation`: timed to the frame after the last change; `two-frames`: nothing may change, no time is taken; `ready`: from the page's own mark. */
  readonly settles: "ready" | "mutation" | "two-frames";
  /** The state is read once more so much later; 0 where it isn't. */
  readonly recountAfterMs: number;
  readonly acts: readonly PlannedAct[];
  /** The model when the step is done. */
  readonly model: Model;
}

export const STEP_COUNT = 29;

const NEW_FIELD: Target = { item: null, selector: "[data-new]" };
const ADD: Target = { item: null, selector: "[data-add]" };
const SEARCH: Target = { item: null, selector: "[data-search]" };

const click = (item: string | null, selector: string): Act => ({ kind: "click", target: { item, selector } });
const toggleBox = (id: string): Act => click(id, "[data-toggle]");
const editField = (id: string): Target => ({ item: id, selector: "[data-edit-input]" });
const filterLink = (filter: Filter): Act => click(null, `[data-filter="${filter}"]`);

/** Keeps the model, the seed's choices and the acts of the step that is being planned. */
class Planner {
  model: Model;
  readonly #random: () => number;
  #acts: PlannedAct[] = [];
  readonly steps: PlannedStep[] = [];
  /** Items of steps 10 to 14: each of them, and step 15, takes one that isn't here. */
  readonly touched = new Set<string>();

  constructor(todos: readonly Todo[], seed: number) {
    this.model = openApp(todos);
    this.#random = seededRandom(seed);
  }

  act(act: Act, model: Model): void {
    this.model = model;
    this.#acts.push({ act, after: viewOf(model) });
  }

  /** One of the candidates, by the seed. @throws RangeError where none qualifies: a fault of the steps */
  choose(candidates: readonly Todo[], what: string): Todo {
    const chosen = candidates[Math.floor(this.#random() * candidates.length)];
    if (chosen === undefined) throw new RangeError(`no item qualifies as ${what}`);
    return chosen;
  }

  end(title: string, how: Partial<Pick<PlannedStep, "settles" | "recountAfterMs">> = {}): void {
    const n = this.steps.length + 1;
    const group: StepGroup = n === 1 ? "opening" : n >= 17 && n <= 23 ? "navigation" : "interaction";
    const rest = { settles: how.settles ?? "mutation", recountAfterMs: how.recountAfterMs ?? 0 };
    this.steps.push({ n, title, group, ...rest, acts: this.#acts, model: this.model });
    this.#acts = [];
  }
}

/**
 * The 29 steps for a page whose todos carry `timestamp`.
 * @param timestamp of all titles of the response, ISO 8601
 * @param seed the round's
 */
export function planSteps(timestamp: string, seed: number): readonly PlannedStep[] {
  const todos = makeTodos(timestamp);
  const planner = new Planner(todos, seed);
  const originals = new Set(todos.map(({ id }) => id));
  planOpening(planner);
  planAdding(planner);
  planToggling(planner, originals);
  planEditing(planner, originals);
  planDeleting(planner, originals);
  planFilters(planner);
  planSearchAndSort(planner);
  planAllAtOnce(planner);
  return planner.steps;
}

/** Step 1. */
function planOpening(planner: Planner): void {
  planner.act({ kind: "open", path: "/" }, planner.model);
  planner.end("open the page", { settles: "ready", recountAfterMs: 2_000 });
}

/** Steps 2 to 5. */
function planAdding(planner: Planner): void {
  const type = (text: string): void =>
    planner.act({ kind: "type", target: NEW_FIELD, text }, typeDraft(planner.model, text));
  const pressEnter: Act = { kind: "press", target: NEW_FIELD, key: "Enter" };
  const pressAdd: Act = { kind: "click", target: ADD };

  type("Water the plants");
  planner.act(pressEnter, addDraft(planner.model));
  planner.end("add one with Enter");

  type("Call the plumber");
  planner.act(pressAdd, addDraft(planner.model));
  planner.end("add one with the button");

  type(`  Read <b>"Dune" & more</b>  `);
  planner.act(pressAdd, addDraft(planner.model));
  planner.end("add one with spaces and markup");

  planner.act(pressAdd, addDraft(planner.model));
  planner.end("add an empty one", { settles: "two-frames" });
}

/** Steps 6 to 9. */
function planToggling(planner: Planner, originals: ReadonlySet<string>): void {
  const press = (id: string): void => planner.act(toggleBox(id), toggle(planner.model, id));
  const newest = planner.choose(planner.model.todos.slice(0, 1), "the newest").id;
  press(newest);
  planner.end("complete the newest");
  press(newest);
  planner.end("re-open the newest");

  const among = (completed: boolean, except: string): Todo[] =>
    planner.model.todos.filter(
      (todo) => originals.has(todo.id) && todo.completed === completed && todo.id !== except,
    );
  const active = planner.choose(among(false, ""), "an active original").id;
  press(active);
  planner.end("complete an active original");
  press(planner.choose(among(true, active), "another, completed original").id);
  planner.end("re-open another, completed original");
}

/** An original that none of the steps 10 to 14 has touched yet; it counts as touched from now on. */
function untouched(planner: Planner, originals: ReadonlySet<string>, what: string): string {
  const candidates = planner.model.todos.filter(({ id }) => originals.has(id) && !planner.touched.has(id));
  const { id } = planner.choose(candidates, what);
  planner.touched.add(id);
  return id;
}

/** Steps 10 to 14. */
function planEditing(planner: Planner, originals: ReadonlySet<string>): void {
  const open = (): string => {
    const id = untouched(planner, originals, "another original to edit");
    planner.act(click(id, "[data-edit]"), startEdit(planner.model, id));
    return id;
  };
  const type = (id: string, text: string): void =>
    planner.act({ kind: "type", target: editField(id), text }, typeEdit(planner.model, text));
  const press = (id: string, key: Key, model: Model): void =>
    planner.act({ kind: "press", target: editField(id), key }, model);

  const first = open();
  planner.end("open an item's field");
  type(first, "Changed with Enter");
  press(first, "Enter", saveEdit(planner.model));
  planner.end("change it, Enter");

  const second = open();
  type(second, "Never saved");
  press(second, "Escape", cancelEdit(planner.model));
  planner.end("edit another, Escape");

  const third = open();
  type(third, "  Changed with Tab ");
  press(third, "Tab", saveEdit(planner.model));
  planner.end("edit another, Tab");

  const fourth = open();
  type(fourth, "");
  press(fourth, "Enter", saveEdit(planner.model));
  planner.end("edit another to nothing, Enter");
}

/** Steps 15 and 16. */
function planDeleting(planner: Planner, originals: ReadonlySet<string>): void {
  const press = (id: string): void => planner.act(click(id, "[data-delete]"), remove(planner.model, id));
  press(untouched(planner, originals, "an original not touched in 10 to 14"));
  planner.end("delete an original");
  press(planner.choose(shownTodos(planner.model).slice(-1), "the last item shown").id);
  planner.end("delete the last item shown");
}

/** Steps 17 to 23. */
function planFilters(planner: Planner): void {
  const go = (filter: Filter): void => planner.act(filterLink(filter), follow(planner.model, filter));
  const toggleOne = (what: string): void => {
    const { id } = planner.choose(shownTodos(planner.model), what);
    planner.act(toggleBox(id), toggle(planner.model, id));
  };
  go("active");
  planner.end("follow active");
  toggleOne("an active item shown");
  planner.end("complete an item there");
  go("completed");
  planner.end("follow completed");
  toggleOne("a completed item shown");
  planner.end("re-open an item there");
  planner.act({ kind: "history", direction: "back" }, back(planner.model));
  planner.end("history back");
  planner.act({ kind: "history", direction: "forward" }, forward(planner.model));
  planner.end("history forward");
  go("all");
  planner.end("follow all");
}

/** Steps 24 to 26. */
function planSearchAndSort(planner: Planner): void {
  const type = (text: string): void =>
    planner.act({ kind: "type", target: SEARCH, text }, search(planner.model, text));
  type("todo 09");
  planner.end("search");
  type("");
  planner.end("clear the search");
  planner.act(click(null, "[data-sort]"), sort(planner.model));
  planner.end("sort");
}

/** Steps 27 to 29. */
function planAllAtOnce(planner: Planner): void {
  const pressAll = (): void => planner.act(click(null, "[data-toggle-all]"), toggleAll(planner.model));
  pressAll();
  planner.end("toggle all");
  pressAll();
  for (let left = 3; left > 0; left -= 1) {
    const active = shownTodos(planner.model).filter(({ completed }) => !completed);
    const { id } = planner.choose(active, "an active item");
    planner.act(toggleBox(id), toggle(planner.model, id));
  }
  planner.end("toggle all, complete three");
  planner.act(click(null, "[data-clear-completed]"), clearCompleted(planner.model));
  planner.end("clear completed");
}
