/**
 * Reads the abstract DOM into the page's semantic state, and into breaches of its structure: what is missing, there
 * twice, the wrong element, hidden, or outside the place where it counts.
 */
import { type Assignee, FILTER_PATHS, type Filter, PART_BITS } from "./data.ts";
import {
  allElements,
  attribute,
  closest,
  descendants,
  type ElementNode,
  hasAttribute,
  type ShownElement,
  shownTree,
  textOf,
} from "./dom.ts";
import type { Problem } from "./problem.ts";
import { condense, problem, quote } from "./problems.ts";

/** The optional parts of an item as shown; absent ones are null, or empty. */
export interface PartsState {
  readonly priority: string | null;
  readonly due: { readonly date: string; readonly label: string } | null;
  readonly tags: readonly string[];
  readonly note: string | null;
  /** Without its white space, which markup between initials and name may or may not hold. */
  readonly assignee: string | null;
}

export interface ItemState {
  readonly id: string;
  /** Exact text; null while the item is edited. */
  readonly title: string | null;
  /** The edit field's text; null unless the item is edited. */
  readonly editing: string | null;
  /** `data-variant` as written. */
  readonly variant: string;
  /** `data-completed` as written. */
  readonly completed: string;
  /** Of the item's box. */
  readonly checked: boolean;
  readonly parts: PartsState;
}

/** An asset that the page refers to, as written. */
export interface AssetReference {
  readonly kind: "script" | "modulepreload" | "stylesheet" | "icon";
  readonly href: string;
}

export interface PageState {
  readonly lang: string | null;
  readonly documentTitle: string;
  readonly hasMetaCharset: boolean;
  /** Style elements count, also those in shadow roots. */
  readonly hasStyle: boolean;
  readonly hasScript: boolean;
  readonly assets: readonly AssetReference[];
  /** `data-request` of the app's root, as written; null where it is absent. */
  readonly nonce: string | null;
  /** `data-ready` is on the app's root. */
  readonly ready: boolean;
  /** In the order shown. */
  readonly items: readonly ItemState[];
  /** The filter in force by `aria-current`; null unless exactly one is. */
  readonly filter: Filter | null;
  readonly remaining: string | null;
  readonly newField: string | null;
  readonly searchField: string | null;
  /** How often the page's whole text holds something like an original title: items shown twice have no attributes to be told by. */
  readonly titlesInText: number;
  readonly structure: readonly Problem[];
}

/** Attributes of which a page has one each, with the element that does the job. */
const SINGLES = {
  "data-new": "input",
  "data-add": "button",
  "data-search": "input",
  "data-sort": "button",
  "data-toggle-all": "button",
  "data-clear-completed": "button",
  "data-remaining": null,
} as const;

/** Attributes of which an item has one each, with the element that does the job. */
const ITEM_SINGLES = { "data-toggle": "input", "data-edit": "button", "data-delete": "button" } as const;

/** Attributes that stand inside an item. */
const ITEM_ATTRIBUTES = [
  "data-title",
  "data-edit-input",
  "data-priority",
  "data-due",
  "data-tag",
  "data-note",
  "data-assignee",
  ...Object.keys(ITEM_SINGLES),
];

const ITEM_ATTRIBUTE_SET: ReadonlySet<string> = new Set(ITEM_ATTRIBUTES);

const APP_ATTRIBUTES = ["data-todo", "data-filter", ...Object.keys(SINGLES), ...ITEM_ATTRIBUTES];

const FILTERS = Object.keys(FILTER_PATHS) as Filter[];

/** Far more than any right page has: what an item stands in is searched for each, and a page of nothing else would take minutes. */
const MOST_ITEMS = 300;

/** Input types whose content is text that a person sees and types. */
const TEXT_TYPES = new Set(["text", "search"]);

/** What `data-todo` must look like: nothing that a selector or a map could stumble over. */
const ITEM_ID = /^todo-\d{3,}$/;

/** An item's assignee as it is compared: initials and name, without white space. */
export function assigneeText(assignee: Assignee): string {
  return squeeze(assignee.initials + assignee.name);
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** Elements of a shown tree by the contract's attributes. */
type Index = ReadonlyMap<string, readonly ShownElement[]>;

function indexOf(root: ShownElement): Index {
  const index = new Map<string, ShownElement[]>();
  for (const element of descendants(root)) {
    for (const [name] of element.node.attributes) {
      if (!name.startsWith("data-")) continue;
      const same = index.get(name);
      if (same === undefined) index.set(name, [element]);
      else same.push(element);
    }
  }
  return index;
}

/** The page as its DOM has it. @param html the `html` element */
export function readPage(html: ElementNode): PageState {
  const page = shownTree(html);
  const everywhere = indexOf(page);
  const roots = everywhere.get("data-todo-app") ?? [];
  const app = roots[0] ?? page;
  const index = indexOf(app);
  const problems = [...checkRoots(html, roots, everywhere, index), ...checkDocument(html)];
  const found = index.get("data-todo") ?? [];
  if (found.length > MOST_ITEMS) {
    problems.push(problem("too-many-items", `at most ${MOST_ITEMS} [data-todo]`, String(found.length)));
  }
  const items = found.slice(0, MOST_ITEMS).map((element) => readItem(element, app, problems));
  const structure = [
    ...problems,
    ...checkOwners(index),
    ...checkIds(items),
    ...checkSingles(index),
    ...checkFilters(index),
    ...checkVisible(app),
    ...checkLabels(app, index),
  ];
  return {
    ...readHead(html, page),
    nonce: attribute(app, "data-request"),
    ready: hasAttribute(app, "data-ready"),
    items,
    filter: readFilter(index),
    remaining: textOfFirst(index, "data-remaining"),
    newField: fieldValue(index.get("data-new")?.[0]),
    searchField: fieldValue(index.get("data-search")?.[0]),
    titlesInText: textOf(page).match(/Todo \d{3} at \d{4}-/g)?.length ?? 0,
    structure: condense(structure),
  };
}

type Head = Pick<
  PageState,
  "lang" | "documentTitle" | "hasMetaCharset" | "hasStyle" | "hasScript" | "assets"
>;

function readHead(html: ElementNode, page: ShownElement): Head {
  const elements = allElements(html);
  const title = descendants(page).find(({ name }) => name === "title");
  return {
    lang: attribute(html, "lang"),
    documentTitle: title === undefined ? "" : textOf(title).trim(),
    hasMetaCharset: elements.some(
      (element) => element.name === "meta" && attribute(element, "charset")?.trim().toLowerCase() === "utf-8",
    ),
    hasStyle: elements.some((element) => element.name === "style" && element.children.length > 0),
    hasScript: elements.some((element) => element.name === "script" && isCode(element)),
    assets: elements.flatMap(assetOf),
  };
}

/** Data blocks such as JSON aren't scripts. */
function isCode(script: ElementNode): boolean {
  const type = (attribute(script, "type") ?? "").trim().toLowerCase();
  return (
    ["", "module", "text/javascript", "application/javascript"].includes(type) &&
    (hasAttribute(script, "src") || script.children.length > 0)
  );
}

function assetOf(element: ElementNode): AssetReference[] {
  if (element.name === "script") {
    const src = attribute(element, "src");
    return src === null || !isCode(element) ? [] : [{ kind: "script", href: src }];
  }
  if (element.name !== "link") return [];
  const href = attribute(element, "href");
  if (href === null) return [];
  const relations = (attribute(element, "rel") ?? "").toLowerCase().split(/\s+/);
  if (relations.includes("stylesheet")) return [{ kind: "stylesheet", href }];
  if (relations.includes("modulepreload")) return [{ kind: "modulepreload", href }];
  if (relations.includes("icon")) return [{ kind: "icon", href }];
  return [];
}

function checkRoots(
  html: ElementNode,
  roots: readonly ShownElement[],
  everywhere: Index,
  index: Index,
): Problem[] {
  const problems: Problem[] = [];
  if (roots.length !== 1) problems.push(problem("app-root", "1 [data-todo-app]", String(roots.length)));
  const unslotted = new Map<string, number>();
  for (const element of allElements(html)) {
    for (const [name] of element.attributes) unslotted.set(name, (unslotted.get(name) ?? 0) + 1);
  }
  for (const name of APP_ATTRIBUTES) {
    const inside = index.get(name)?.length ?? 0;
    const shown = everywhere.get(name)?.length ?? 0;
    const all = unslotted.get(name) ?? 0;
    if (shown !== inside) {
      problems.push(
        problem("outside-root", `every [${name}] inside the app's root`, `${shown - inside} outside`),
      );
    }
    if (all !== shown) {
      problems.push(
        problem(
          "not-shown",
          `every [${name}] shown`,
          `${all - shown} beside a shadow root, in no slot of it`,
        ),
      );
    }
  }
  return problems;
}

/** What changes where links lead, or what page is there at all. */
function checkDocument(html: ElementNode): Problem[] {
  return allElements(html).flatMap((element) => {
    if (element.name === "base" && (attribute(element, "href") ?? "/") !== "/") {
      return [
        problem("base", "links that lead where they say", `base href ${quote(attribute(element, "href"))}`),
      ];
    }
    if (element.name === "meta" && attribute(element, "http-equiv")?.toLowerCase() === "refresh") {
      return [problem("refresh", "a page that stays", "a meta refresh")];
    }
    return [];
  });
}

function isItem(element: ShownElement): boolean {
  return hasAttribute(element, "data-todo");
}

function readItem(element: ShownElement, app: ShownElement, problems: Problem[]): ItemState {
  const id = attribute(element, "data-todo") ?? "";
  const index = indexOf(element);
  const one = (name: string): ShownElement | null => {
    const found = index.get(name) ?? [];
    if (found.length > 1) problems.push(problem("item-parts", `${id}: one [${name}]`, String(found.length)));
    return found[0] ?? null;
  };
  const texts = (name: string): string | null => {
    const found = one(name);
    return found === null ? null : textOf(found);
  };
  const editing = one("data-edit-input");
  const title = texts("data-title");
  if ((title === null) === (editing === null)) {
    problems.push(
      problem(
        "item-title",
        `${id}: one [data-title], or [data-edit-input] in its place`,
        title === null ? "neither" : "both",
      ),
    );
  }
  for (const [name, tag] of Object.entries(ITEM_SINGLES)) {
    const found = index.get(name) ?? [];
    if (found.length !== 1)
      problems.push(problem("item-controls", `${id}: one [${name}]`, String(found.length)));
    for (const { name: seen } of found) {
      if (seen !== tag) problems.push(problem("real-elements", `${id}: [${name}] is a ${tag}`, seen));
    }
  }
  const box = index.get("data-toggle")?.[0];
  if (box !== undefined && attribute(box, "type")?.toLowerCase() !== "checkbox") {
    problems.push(
      problem("real-elements", `${id}: [data-toggle] is a checkbox`, `type ${quote(attribute(box, "type"))}`),
    );
  }
  if (editing !== null) problems.push(...checkTextField("data-edit-input", editing));
  problems.push(...checkListItem(id, element, app));
  return {
    id,
    title,
    editing: editing === null ? null : fieldValue(editing),
    variant: attribute(element, "data-variant") ?? "",
    completed: attribute(element, "data-completed") ?? "",
    checked: box !== undefined && (box.node.live?.checked ?? hasAttribute(box, "checked")),
    parts: {
      priority: texts("data-priority"),
      due: readDue(id, one("data-due"), problems),
      tags: (index.get("data-tag") ?? []).map((tag) => {
        problems.push(...checkTag(id, tag, element));
        return textOf(tag);
      }),
      note: texts("data-note"),
      assignee: squeezed(texts("data-assignee")),
    },
  };
}

function squeezed(text: string | null): string | null {
  return text === null ? null : squeeze(text);
}

/** `[data-due]` is a `time` or holds one. */
function readDue(id: string, due: ShownElement | null, problems: Problem[]): PartsState["due"] {
  if (due === null) return null;
  const times = descendants(due).filter(({ name }) => name === "time");
  if (times.length !== 1) {
    problems.push(
      problem("real-elements", `${id}: [data-due] is or holds one time element`, String(times.length)),
    );
  }
  const [time] = times;
  return { date: (time && attribute(time, "datetime")) ?? "", label: textOf(due) };
}

function checkTag(id: string, tag: ShownElement, item: ShownElement): Problem[] {
  const entry = closest(tag, ({ name }) => name === "li");
  const within = entry !== null && closest(entry, (element) => element === item) !== null && entry !== item;
  return within ? [] : [problem("real-elements", `${id}: [data-tag] in a list of its own`, `a ${tag.name}`)];
}

/** The item is, holds or stands alone in a list item of a list. */
function checkListItem(id: string, item: ShownElement, app: ShownElement): Problem[] {
  const inList = (entry: ShownElement | null | undefined): boolean =>
    entry?.parent != null && closest(entry.parent, ({ name }) => name === "ul" || name === "ol") !== null;
  const outer = closest(item, (element) => element === app || element.name === "li");
  if (outer !== null && outer !== app && inList(outer)) {
    const items = descendants(outer).filter(isItem);
    if (items.length === 1) return [];
  }
  const inner = descendants(item).find(({ name }) => name === "li");
  const holdsTitle =
    inner !== undefined && descendants(inner).some((element) => hasAttribute(element, "data-title"));
  if (holdsTitle && inList(inner)) return [];
  return [problem("real-elements", `${id}: an item of a list (ul and li)`, `a ${item.name}`)];
}

/** Every part stands in an item, and no item in another. */
function checkOwners(index: Index): Problem[] {
  const problems: Problem[] = [];
  for (const name of ITEM_ATTRIBUTES) {
    for (const element of index.get(name) ?? []) {
      if (closest(element, isItem) === null) {
        problems.push(problem("outside-item", `every [${name}] inside an item`, `a ${element.name} outside`));
      }
      if (element.parent !== null && closest(element.parent, isPart) !== null) {
        problems.push(problem("nested-parts", `no part inside another part`, `[${name}] is inside one`));
      }
    }
  }
  for (const item of index.get("data-todo") ?? []) {
    if (item.parent !== null && closest(item.parent, isItem) !== null) {
      problems.push(problem("nested-items", "no item inside another", quote(attribute(item, "data-todo"))));
    }
  }
  return problems;
}

function isPart(element: ShownElement): boolean {
  return element.node.attributes.some(([name]) => ITEM_ATTRIBUTE_SET.has(name));
}

function checkIds(items: readonly ItemState[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { id } of items) {
    if (!ITEM_ID.test(id)) problems.push(problem("item-id", "todo- and a number of three digits", quote(id)));
    if (seen.has(id)) problems.push(problem("item-twice", "every id once", quote(id)));
    seen.add(id);
  }
  return problems;
}

function checkSingles(index: Index): Problem[] {
  const problems: Problem[] = [];
  for (const [name, tag] of Object.entries(SINGLES)) {
    const found = index.get(name) ?? [];
    if (found.length !== 1) problems.push(problem("controls", `1 [${name}]`, String(found.length)));
    for (const element of found) {
      if (tag !== null && element.name !== tag) {
        problems.push(problem("real-elements", `[${name}] is a ${tag}`, element.name));
      } else if (tag === "input") {
        problems.push(...checkTextField(name, element));
      }
    }
  }
  return problems;
}

function checkTextField(name: string, element: ShownElement): Problem[] {
  const type = (attribute(element, "type") ?? "text").toLowerCase();
  return element.name === "input" && TEXT_TYPES.has(type)
    ? []
    : [problem("real-elements", `[${name}] is a text field`, `${element.name} of type ${quote(type)}`)];
}

function checkFilters(index: Index): Problem[] {
  const problems: Problem[] = [];
  const links = index.get("data-filter") ?? [];
  if (links.length !== FILTERS.length) {
    problems.push(problem("filters", `${FILTERS.length} [data-filter]`, String(links.length)));
  }
  for (const filter of FILTERS) {
    const same = links.filter((link) => attribute(link, "data-filter") === filter);
    const [link] = same;
    if (same.length !== 1 || link === undefined) {
      problems.push(problem("filters", `one link for ${filter}`, String(same.length)));
      continue;
    }
    if (link.name !== "a")
      problems.push(problem("real-elements", `[data-filter="${filter}"] is an a`, link.name));
    const href = attribute(link, "href");
    if (href !== FILTER_PATHS[filter]) {
      problems.push(problem("filters", `${filter} links to ${FILTER_PATHS[filter]}`, quote(href)));
    }
    const current = attribute(link, "aria-current");
    if (current !== null && current !== "page" && current !== "false") {
      problems.push(problem("filters", `aria-current is "page" or absent`, quote(current)));
    }
  }
  const current = links.filter((link) => attribute(link, "aria-current") === "page");
  if (current.length !== 1) {
    problems.push(problem("filters", `aria-current="page" on one filter`, String(current.length)));
  }
  return problems;
}

function readFilter(index: Index): Filter | null {
  const current = (index.get("data-filter") ?? []).filter(
    (link) => attribute(link, "aria-current") === "page",
  );
  const name = current.length === 1 && current[0] ? attribute(current[0], "data-filter") : null;
  return FILTERS.find((filter) => filter === name) ?? null;
}

/** Inline styles that keep an element, or its text, from being shown. */
const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden|opacity\s*:\s*0*(?:\.0*)?%?\s*(?:;|!|$))/i;

/** Why an element isn't shown as far as its own markup tells; null where it is. */
function hiddenBy(element: ShownElement): string | null {
  if (element.node.live !== null) return element.node.live.visible ? null : "checkVisibility() is false";
  if (hasAttribute(element, "hidden")) return "hidden";
  if (hasAttribute(element, "popover")) return "popover";
  if (HIDING_STYLE.test(attribute(element, "style") ?? ""))
    return `style ${quote(attribute(element, "style"))}`;
  if (element.name === "dialog" && !hasAttribute(element, "open")) return "a closed dialog";
  if (element.name === "details" && !hasAttribute(element, "open")) return "closed details";
  return null;
}

/** What is not shown is not in the DOM: the app, all that it stands in and all that stands in it is shown. */
function checkVisible(app: ShownElement): Problem[] {
  const problems: Problem[] = [];
  const check = (element: ShownElement): void => {
    const why = hiddenBy(element);
    if (why !== null)
      problems.push(problem("visible", "what isn't shown isn't there", `a ${element.name}: ${why}`));
  };
  for (let at = app.parent; at !== null; at = at.parent) check(at);
  for (const element of descendants(app)) check(element);
  return problems;
}

/** Every field and box has a name for those who can't see it, and at least one by a real label. */
function checkLabels(app: ShownElement, index: Index): Problem[] {
  const labels = descendants(app).filter(({ name }) => name === "label");
  if (labels.length === 0) return [problem("labels", "label elements", "none")];
  const targets = new Set(labels.map((label) => attribute(label, "for")));
  const problems: Problem[] = [];
  for (const name of ["data-new", "data-search", "data-toggle"]) {
    for (const field of index.get(name) ?? []) {
      const id = attribute(field, "id");
      const named =
        closest(field, (element) => element.name === "label") !== null ||
        (id !== null && targets.has(id)) ||
        hasAttribute(field, "aria-label") ||
        hasAttribute(field, "aria-labelledby");
      if (!named) problems.push(problem("labels", `[${name}] has a label`, "none"));
    }
  }
  return problems;
}

function textOfFirst(index: Index, name: string): string | null {
  const [first] = index.get(name) ?? [];
  return first === undefined ? null : textOf(first);
}

function fieldValue(field: ShownElement | undefined): string | null {
  if (field === undefined) return null;
  return field.node.live?.value ?? attribute(field, "value") ?? "";
}

/** Bits of the parts that an item shows, as its `variant` counts them. */
export function partBits(parts: PartsState): number {
  return (
    (parts.priority === null ? 0 : PART_BITS.priority) |
    (parts.due === null ? 0 : PART_BITS.due) |
    (parts.tags.length === 0 ? 0 : PART_BITS.tags) |
    (parts.note === null ? 0 : PART_BITS.note) |
    (parts.assignee === null ? 0 : PART_BITS.assignee)
  );
}
