/** Judges a page's semantic state: against the workload's data for a raw response, against the model for a live page. */
import { type Filter, makeTodos, remainingLabel, TODO_COUNT, type Todo, todoTitle } from "./data.ts";
import { passesFilter, type ShownState } from "./model.ts";
import { assigneeText, type ItemState, type PageState, partBits } from "./page-state.ts";
import type { Problem } from "./problem.ts";
import { condense, differs, problem, quote } from "./problems.ts";

/** Wall clock, ms since the epoch: when a request was written, when its response had ended. */
export interface RequestTimes {
  readonly sentAtMs: number;
  readonly endedAtMs: number;
}

/** One page request, as the judge knows it. */
export interface ExpectedPage extends RequestTimes {
  readonly filter: Filter;
  /** What `data-request` must be, exactly: the request's nonce, or nothing where it had no well-formed one. */
  readonly nonce: string;
}

const TITLE = /^Todo \d{3,} at (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)$/;

/** The one timestamp of all titles, or null where there isn't exactly one. */
export function timestampOf(state: PageState): string | null {
  const stamps = new Set(state.items.map(({ title }) => TITLE.exec(title ?? "")?.[1] ?? null));
  const [only] = stamps;
  return stamps.size === 1 && only !== undefined ? only : null;
}

/** Breaches of the DOM contract in a raw response: every line of it that shows with scripts off. */
export function checkPage(state: PageState, expected: ExpectedPage): Problem[] {
  return condense([
    ...state.structure,
    ...checkHead(state),
    ...differs("nonce", expected.nonce, state.nonce),
    ...(state.ready ? [problem("ready-too-early", "data-ready set by the client", "in the response")] : []),
    ...checkTimestamp(state, expected),
    ...checkShown(state, expectedOf(state, expected)),
    ...differs("titles-once", state.items.length, state.titlesInText),
  ]);
}

/** Breaches between what a page shows and what it should show; items by id, in order, part by part. */
export function checkShown(state: PageState, expected: ShownState): Problem[] {
  return condense([
    ...checkOrder(state.items, expected.items),
    ...checkItems(state.items, expected),
    ...differs("filter", expected.filter, state.filter),
    ...differs("remaining", expected.remaining, state.remaining),
    ...differs("new-field", expected.newField, state.newField),
    ...differs("search-field", expected.searchField, state.searchField),
  ]);
}

function checkHead(state: PageState): Problem[] {
  const problems: Problem[] = [];
  if ((state.lang ?? "").trim() === "")
    problems.push(problem("lang", "lang on the html element", quote(state.lang)));
  if (state.documentTitle === "") problems.push(problem("document-title", "a document title", "none"));
  if (!state.hasStyle && !state.assets.some(({ kind }) => kind === "stylesheet")) {
    problems.push(problem("stylesheet", "a stylesheet", "none"));
  }
  if (!state.assets.some(({ kind }) => kind === "icon")) {
    problems.push(problem("favicon", `a link with rel="icon"`, "none"));
  }
  if (!state.hasScript) problems.push(problem("client", "a script that hydrates the page", "none"));
  return problems;
}

function checkTimestamp(state: PageState, expected: RequestTimes): Problem[] {
  const stamp = timestampOf(state);
  if (stamp === null) {
    const seen = [...new Set(state.items.map(({ title }) => TITLE.exec(title ?? "")?.[1] ?? title))];
    return [
      problem(
        "timestamp",
        "one ISO timestamp in all titles",
        seen.slice(0, 3).map(quote).join(", ") || "none",
      ),
    ];
  }
  return checkWindow(stamp, expected);
}

/** Whether a timestamp was taken while its request ran. */
function checkWindow(stamp: string, { sentAtMs, endedAtMs }: RequestTimes): Problem[] {
  const atMs = Date.parse(stamp);
  const isTime = !Number.isNaN(atMs) && iso(atMs) === stamp;
  const right = isTime && atMs >= Math.floor(sentAtMs) && atMs <= endedAtMs;
  if (right) return [];
  const window = `between ${iso(Math.floor(sentAtMs))} and ${iso(endedAtMs)}, when the request ran`;
  return [problem("timestamp-window", window, stamp)];
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

function expectedOf(state: PageState, { filter }: ExpectedPage): ShownState {
  const todos = makeTodos(timestampOf(state) ?? "(one timestamp)");
  return {
    items: todos.filter((todo) => passesFilter(filter, todo)),
    filter,
    remaining: remainingLabel(todos.filter(({ completed }) => !completed).length),
    newField: "",
    searchField: "",
    editing: null,
  };
}

function checkOrder(seen: readonly ItemState[], expected: readonly Todo[]): Problem[] {
  const problems = differs("item-count", expected.length, seen.length);
  const at = expected.findIndex(({ id }, index) => seen[index]?.id !== id);
  if (at >= 0) {
    problems.push(
      problem("item-order", `${expected[at]?.id} at place ${at + 1}`, quote(seen[at]?.id ?? null)),
    );
  }
  return problems;
}

function checkItems(seen: readonly ItemState[], expected: ShownState): Problem[] {
  const byId = new Map(seen.map((item) => [item.id, item]));
  return expected.items.flatMap((todo) => {
    const item = byId.get(todo.id);
    if (item === undefined) return [];
    const editing = expected.editing?.id === todo.id ? expected.editing.text : null;
    return checkItem(item, todo, editing);
  });
}

function checkItem(item: ItemState, todo: Todo, editing: string | null): Problem[] {
  const { id } = todo;
  const { parts } = item;
  const of = (what: unknown): string => `${id}: ${quote(what)}`;
  const same = (rule: string, right: unknown, is: unknown): Problem[] =>
    of(right) === of(is) ? [] : [problem(rule, of(right), of(is))];
  return [
    ...same("editing", editing, item.editing),
    ...same("title", editing === null ? todo.title : null, item.title),
    ...same("variant", String(todo.variant), item.variant),
    ...same("parts", todo.variant, partBits(parts)),
    ...same("completed", String(todo.completed), item.completed),
    ...same("checked", todo.completed, item.checked),
    ...same("priority", todo.priority ?? null, parts.priority),
    ...same("due", todo.due === undefined ? null : { date: todo.due.date, label: todo.due.label }, parts.due),
    ...same("tags", todo.tags ?? [], parts.tags),
    ...same("note", todo.note ?? null, parts.note),
    ...same("assignee", todo.assignee === undefined ? null : assigneeText(todo.assignee), parts.assignee),
  ];
}

const ANY_TITLE = new RegExp(TITLE.source.slice(1, -1), "g");

/** Whether a page was made for its own request, by its text alone: for pages that are too many to be parsed. */
export function checkOwnPage(html: string, nonce: string, times: RequestTimes): Problem[] {
  const stamps = new Set([...html.matchAll(ANY_TITLE)].map(([, stamp = ""]) => stamp));
  return [
    ...(html.includes(nonce) ? [] : [problem("nonce", `the nonce ${quote(nonce)}`, "a page without it")]),
    ...(stamps.size === 1
      ? []
      : [problem("timestamp", "one ISO timestamp in all titles", `${stamps.size} of them`)]),
    ...[...stamps].flatMap((stamp) => checkWindow(stamp, times)),
  ];
}

/**
 * On every path the response carries all 100 todos, shown or not, for the client to hydrate from; and nowhere, markup
 * or data, a title of another request.
 */
export function checkHydrationData(html: string, timestamp: string): Problem[] {
  const foreign = [...html.matchAll(ANY_TITLE)].find(([, stamp]) => stamp !== timestamp)?.[0];
  return [
    ...checkAllTitles(html, timestamp),
    ...(foreign === undefined ? [] : [problem("stale-data", `only titles at ${timestamp}`, quote(foreign))]),
  ];
}

function checkAllTitles(html: string, timestamp: string): Problem[] {
  const missing: string[] = [];
  for (let n = 1; n <= TODO_COUNT; n += 1) {
    const title = todoTitle(n, timestamp);
    if (!html.includes(title)) missing.push(title);
  }
  return missing.length === 0
    ? []
    : [
        problem(
          "hydration-data",
          `all ${TODO_COUNT} titles in the response`,
          `${missing.length} missing, first ${quote(missing[0])}`,
        ),
      ];
}
