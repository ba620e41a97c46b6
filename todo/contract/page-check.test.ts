import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parsePage } from "../../harness/parse5-node.ts";
import type { Filter } from "./data.ts";
import { makeTodos } from "./data.ts";
import { openApp, search, toggle, viewOf } from "./model.ts";
import { itemHtml, pageHtml } from "./page.fixture.ts";
import { checkHydrationData, checkOwnPage, checkPage, checkShown } from "./page-check.ts";
import { readPage } from "./page-state.ts";

const TIMESTAMP = "2026-09-11T22:49:49.677Z";
const AT_MS = Date.parse(TIMESTAMP);
const TODOS = makeTodos(TIMESTAMP);
const NONCE = "aB3";

function right(filter: Filter = "all"): string {
  return pageHtml({ timestamp: TIMESTAMP, filter, nonce: NONCE });
}

function rulesOf(
  html: string,
  filter: Filter = "all",
  sentAtMs = AT_MS - 0.5,
  endedAtMs = AT_MS + 5,
): string[] {
  const state = readPage(parsePage(html).root);
  return checkPage(state, { filter, nonce: NONCE, sentAtMs, endedAtMs }).map(({ rule }) => rule);
}

/** Replaces the first match, which must be there: a spoiled page that isn't spoiled tests nothing. */
function spoil(from: string | RegExp, to: string, html = right()): string {
  const spoiled = html.replace(from, () => to);
  assert.notEqual(spoiled, html, `nothing to replace: ${from}`);
  return spoiled;
}

function item(n: number): string {
  const todo = TODOS[n - 1];
  assert.ok(todo);
  return itemHtml(todo);
}

/** Spoils one item. */
function spoilItem(n: number, from: string | RegExp, to: string): string {
  return spoil(item(n), spoil(from, to, item(n)));
}

function wrapList(open: string, close: string): string {
  return right().replace(
    /<ul><li data-todo[\s\S]*<\/ul><\/main>/,
    (list) => `${open}${list.slice(0, -"</main>".length)}${close}</main>`,
  );
}

const NOTE_ITEM = TODOS.findIndex(({ note }) => note?.includes("<b>")) + 1;
const TAG_ITEM = TODOS.findIndex(({ tags }) => tags) + 1;
const DUE_ITEM = TODOS.findIndex(({ due }) => due) + 1;
const ASSIGNEE_ITEM = TODOS.findIndex(({ assignee }) => assignee) + 1;
const PRIORITY_ITEM = TODOS.findIndex(({ priority }) => priority) + 1;

/** What a liar, or a mistake, could send, and the rule that sees it. */
const SPOILED: readonly (readonly [what: string, rule: string, html: () => string])[] = [
  ["two roots", "app-root", () => spoil("</main>", "</main><section data-todo-app></section>")],
  ["no root", "app-root", () => spoil("data-todo-app", "data-app")],
  ["an item outside the root", "outside-root", () => spoil("</main>", `</main><ul>${item(1)}</ul>`)],
  [
    "the remaining text outside the root",
    "outside-root",
    () => spoil("<body>", "<body><i data-remaining></i>"),
  ],
  ["the list in a template", "item-count", () => wrapList("<template>", "</template>")],
  ["the list in a comment", "item-count", () => wrapList("<!--", "-->")],
  ["the list in a script", "item-count", () => wrapList(`<script type="text/html">`, "</script>")],
  ["the list in noscript", "item-count", () => wrapList("<noscript>", "</noscript>")],
  ["the list in a textarea", "item-count", () => wrapList("<textarea>", "</textarea>")],
  [
    "the list in a closed root",
    "item-count",
    () => wrapList(`<x-l><template shadowrootmode="closed">`, "</template></x-l>"),
  ],
  [
    "the list beside a root without a slot",
    "not-shown",
    () => wrapList(`<x-l><template shadowrootmode="open"></template>`, "</x-l>"),
  ],
  ["one item missing", "item-count", () => spoil(item(50), "")],
  ["an id twice", "item-twice", () => spoil(item(50), item(49))],
  ["one item too many", "item-count", () => spoil(item(50), item(50) + item(50).replaceAll("050", "101"))],
  ["two items swapped", "item-order", () => spoil(item(5) + item(6), item(6) + item(5))],
  ["an id that isn't one", "item-id", () => spoilItem(7, "todo-007", "todo-7")],
  [
    "an item inside an item",
    "nested-items",
    () =>
      spoil(/<\/li>\n<li data-todo="todo-002"/, `<ul><li data-todo="todo-002"`).replace(
        "</ul></main>",
        "</li></ul></ul></main>",
      ),
  ],
  ["another title", "title", () => spoilItem(8, "Todo 008 at", "Todo 009 at")],
  ["a space behind a title", "title", () => spoilItem(8, "Z</span>", "Z </span>")],
  ["a zero-width space in a title", "timestamp", () => spoilItem(8, "Todo 008", "Todo\u200b 008")],
  ["no title", "item-title", () => spoilItem(8, "data-title", "data-titel")],
  ["two titles", "item-parts", () => spoilItem(8, "<button", "<i data-title>x</i><button")],
  ["hidden text in a title", "visible", () => spoilItem(8, "Todo 008", "Todo <i hidden>008</i>")],
  [
    "a title in a part",
    "nested-parts",
    () =>
      spoilItem(
        8,
        /<span data-title>(.*?)<\/span>/,
        `<p data-note><span data-title>Todo 008 at ${TIMESTAMP}</span></p>`,
      ),
  ],
  ["a hidden item", "visible", () => spoilItem(8, "<li ", "<li hidden ")],
  ["display none", "visible", () => spoilItem(8, "<li ", `<li style="color:red; Display : none" `)],
  ["visibility hidden", "visible", () => spoilItem(8, "<span ", `<span style="visibility:hidden" `)],
  ["opacity nought", "visible", () => spoilItem(8, "<span ", `<span style="opacity: 0" `)],
  [
    "content-visibility",
    "visible",
    () => spoil("<ul><li data-todo", `<ul style="content-visibility:hidden"><li data-todo`),
  ],
  ["the app in a hidden ancestor", "visible", () => spoil("<body>", "<body hidden>")],
  ["the list in closed details", "visible", () => wrapList("<details>", "</details>")],
  ["the list in a closed dialog", "visible", () => wrapList("<dialog>", "</dialog>")],
  ["the list in a popover", "visible", () => wrapList("<div popover>", "</div>")],
  ["one other timestamp", "timestamp", () => spoilItem(8, TIMESTAMP, "2026-09-11T22:49:49.678Z")],
  ["a timestamp without ms", "timestamp", () => right().replaceAll(TIMESTAMP, "2026-09-11T22:49:49Z")],
  [
    "a timestamp of another zone",
    "timestamp",
    () => right().replaceAll(TIMESTAMP, "2026-09-11T22:49:49.677+00:00"),
  ],
  [
    "a date that isn't one",
    "timestamp-window",
    () => right().replaceAll(TIMESTAMP, "2026-02-30T22:49:49.677Z"),
  ],
  [
    "a date that no calendar has",
    "timestamp-window",
    () => right().replaceAll(TIMESTAMP, "2026-99-99T99:99:99.999Z"),
  ],
  ["a note escaped twice", "note", () => spoilItem(NOTE_ITEM, "&lt;b&gt;", "&amp;lt;b&amp;gt;")],
  [
    "a note not escaped",
    "note",
    () => spoilItem(NOTE_ITEM, "&lt;b&gt;Not bold&lt;/b&gt;", "<b>Not bold</b>"),
  ],
  [
    "a note in another normal form",
    "note",
    () => spoilItem(NOTE_ITEM, "re\u0301sume\u0301", "r\u00e9sum\u00e9"),
  ],
  [
    "a part that isn't its item's",
    "parts",
    () => spoilItem(1, "<button", "<em data-priority>low</em><button"),
  ],
  ["a part missing", "parts", () => spoilItem(PRIORITY_ITEM, /<em.*?<\/em>/, "")],
  ["an empty part", "parts", () => spoilItem(1, "<button", "<em data-priority></em><button")],
  [
    "another priority",
    "priority",
    () => spoilItem(PRIORITY_ITEM, /data-priority>\w+/, "data-priority>urgent"),
  ],
  ["one tag", "tags", () => spoilItem(TAG_ITEM, /<li data-tag>.*?<\/li>/, "")],
  [
    "tags swapped",
    "tags",
    () =>
      spoilItem(
        TAG_ITEM,
        /<li data-tag>(.*?)<\/li><li data-tag>(.*?)<\/li>/,
        "<li data-tag>x</li><li data-tag>y</li>",
      ),
  ],
  [
    "tags that aren't a list",
    "real-elements",
    () =>
      spoilItem(
        TAG_ITEM,
        /<ul class="tags"><li data-tag>(\w+)<\/li><li data-tag>(\w+)<\/li><\/ul>/,
        "<i data-tag>errand</i><i data-tag>travel</i>",
      ),
  ],
  ["another due date", "due", () => spoilItem(DUE_ITEM, /datetime="\d+/, `datetime="2027`)],
  [
    "a due date without time",
    "real-elements",
    () => spoilItem(DUE_ITEM, /<time (.*?)<\/time>/, "<i data-due>due</i>"),
  ],
  ["another assignee", "assignee", () => spoilItem(ASSIGNEE_ITEM, /<b>\w\w<\/b> [\w ]+/, "<b>XX</b> Nobody")],
  ["another variant", "variant", () => spoilItem(9, /data-variant="\d+"/, `data-variant="31"`)],
  ["no variant", "variant", () => spoilItem(9, /data-variant="\d+"/, "")],
  [
    "data-completed the wrong way",
    "completed",
    () => spoilItem(1, `data-completed="true"`, `data-completed="false"`),
  ],
  ["a box not checked", "checked", () => spoilItem(1, " checked", "")],
  [
    "checked=false, which is checked",
    "checked",
    () => spoilItem(2, "data-toggle", `data-toggle checked="false"`),
  ],
  ["a box that isn't one", "real-elements", () => spoilItem(2, `type="checkbox"`, `type="radio"`)],
  [
    "a div for a box",
    "real-elements",
    () => spoilItem(2, /<input type="checkbox" data-toggle>/, `<div role="checkbox" data-toggle></div>`),
  ],
  [
    "a link for a button",
    "real-elements",
    () => spoilItem(2, /<button type="button" data-edit>Edit<\/button>/, "<a data-edit>Edit</a>"),
  ],
  ["no delete", "item-controls", () => spoilItem(2, " data-delete", "")],
  ["two edits", "item-controls", () => spoilItem(2, "<button", "<button data-edit></button><button")],
  [
    "an edit field in the response",
    "item-title",
    () => spoilItem(2, "<button", "<input data-edit-input><button"),
  ],
  [
    "an edit field in a title's place",
    "editing",
    () => spoilItem(2, /<span data-title>.*?<\/span>/, `<input data-edit-input value="x">`),
  ],
  ["a part outside any item", "outside-item", () => spoil("<nav>", "<b data-tag>home</b><nav>")],
  ["items that aren't in a list", "real-elements", () => right().replaceAll(/<(\/?)(?:li|ul)\b/g, "<$1div")],
  ["list items without a list", "real-elements", () => right().replaceAll(/<(\/?)ul\b/g, "<$1div")],
  ["no field for a new one", "controls", () => spoil("data-new", "data-old")],
  ["two fields for a new one", "controls", () => spoil("<nav>", "<input data-new aria-label=x><nav>")],
  ["a box for a field", "real-elements", () => spoil("<input data-new", `<input type="checkbox" data-new`)],
  ["no search", "controls", () => spoil(" data-search", "")],
  ["a search that holds text", "search-field", () => spoil("data-search", `data-search value="todo"`)],
  ["a draft", "new-field", () => spoil("data-new", `data-new value="x"`)],
  ["no sort", "controls", () => spoil(" data-sort", "")],
  [
    "a div that sorts",
    "real-elements",
    () => spoil(`<button type="button" data-sort>Sort</button>`, "<div data-sort>Sort</div>"),
  ],
  ["no toggle-all", "controls", () => spoil(" data-toggle-all", "")],
  ["no clear-completed", "controls", () => spoil(" data-clear-completed", "")],
  ["a filter missing", "filters", () => spoil(/<a href="\/active".*?<\/a>/, "")],
  ["a filter twice", "filters", () => spoil("<nav>", `<nav><a href="/active" data-filter="active">x</a>`)],
  ["a filter that leads elsewhere", "filters", () => spoil(`href="/active"`, `href="/#active"`)],
  [
    "a filter that is a button",
    "real-elements",
    () =>
      spoil(
        /<a (href="\/active" data-filter="active")>active<\/a>/,
        `<button href="/active" data-filter="active">active</button>`,
      ),
  ],
  [
    "another filter in force",
    "filter",
    () =>
      spoil(` aria-current="page"`, "").replace(
        `data-filter="active"`,
        `data-filter="active" aria-current="page"`,
      ),
  ],
  [
    "two filters in force",
    "filters",
    () => spoil(`data-filter="active"`, `data-filter="active" aria-current="page"`),
  ],
  ["no filter in force", "filters", () => spoil(` aria-current="page"`, "")],
  ["another remaining text", "remaining", () => spoil("66 items left", "66 left")],
  ["a remaining count of what is shown", "remaining", () => spoil("66 items left", "100 items left")],
  ["another nonce", "nonce", () => spoil(NONCE, "aB4")],
  ["a nonce in another case", "nonce", () => spoil(NONCE, "ab3")],
  ["a longer nonce", "nonce", () => spoil(NONCE, `${NONCE}0`)],
  ["a nonce with a space", "nonce", () => spoil(`"${NONCE}"`, `"${NONCE} "`)],
  ["no nonce", "nonce", () => spoil(/ data-request="\w+"/, "")],
  ["ready before any script", "ready-too-early", () => spoil("data-todo-app", "data-todo-app data-ready")],
  ["no lang", "lang", () => spoil(` lang="en"`, "")],
  ["no document title", "document-title", () => spoil("<title>Todos</title>", "")],
  ["an empty document title", "document-title", () => spoil("<title>Todos</title>", "<title> </title>")],
  ["no stylesheet", "stylesheet", () => spoil(/<link rel="stylesheet".*?>/, "")],
  ["no favicon", "favicon", () => spoil(/<link rel="icon".*?>/, "")],
  ["no script", "client", () => spoil(/<script type="module".*?<\/script>/, "")],
  [
    "the list once more without attributes",
    "titles-once",
    () => spoil("</main>", `</main><p>Todo 001 at ${TIMESTAMP}</p>`),
  ],
  ["no labels at all", "labels", () => right().replaceAll(/<\/?label>/g, "")],
  [
    "a field without a label",
    "labels",
    () => spoil("<label>New <input data-new></label>", "<input data-new>"),
  ],
  ["links led astray by a base", "base", () => spoil("<head>", `<head><base href="https://example.org/">`)],
  [
    "a page that refreshes itself",
    "refresh",
    () => spoil("<head>", `<head><meta http-equiv="refresh" content="1">`),
  ],
];

describe("checkPage", () => {
  for (const filter of ["all", "active", "completed"] as const) {
    it(`finds nothing wrong with a right page of ${filter}`, () => {
      assert.deepEqual(rulesOf(right(filter), filter), []);
    });
  }

  for (const [what, rule, html] of SPOILED) {
    it(`sees ${what}: ${rule}`, () => {
      const rules = rulesOf(html());
      assert.ok(rules.includes(rule), `saw ${rules.join(", ") || "nothing"}`);
    });
  }

  it("sees the whole list on a filtered path, hidden or not", () => {
    assert.ok(rulesOf(right("all"), "active").includes("item-count"));
  });

  it("holds the timestamp to the request's times, the start floored to the ms", () => {
    assert.deepEqual(rulesOf(right(), "all", AT_MS + 0.9, AT_MS + 0.95), []);
    assert.deepEqual(rulesOf(right(), "all", AT_MS, AT_MS), []);
    assert.deepEqual(rulesOf(right(), "all", AT_MS + 1, AT_MS + 2), ["timestamp-window"]);
    assert.deepEqual(rulesOf(right(), "all", AT_MS - 2, AT_MS - 1), ["timestamp-window"]);
  });

  it("names an item once and counts the rest where all are wrong", () => {
    const problems = checkPage(readPage(parsePage(right().replaceAll("data-variant", "data-v")).root), {
      filter: "all",
      nonce: NONCE,
      sentAtMs: AT_MS,
      endedAtMs: AT_MS,
    });
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.seen ?? "", /todo-001: "" \(and 99 more\)/);
  });

  it("reads items made of shadow roots and slots as they are shown", () => {
    const html = right().replaceAll(
      /<li data-todo="(\S+)" (.*?)>(.*?)<span data-title>(.*?)<\/span>(.*?)<\/li>\n/gs,
      (_, id, attributes, box, title, rest) =>
        `<li><todo-item data-todo="${id}" ${attributes}><template shadowrootmode="open"><style>x{}</style>` +
        `${box}<span data-title><slot></slot></span>${rest}</template>${title}</todo-item></li>`,
    );
    assert.notEqual(html, right());
    assert.deepEqual(rulesOf(html), []);
  });
});

describe("checkHydrationData", () => {
  it("wants all 100 titles on a filtered path too", () => {
    assert.deepEqual(checkHydrationData(right("active"), TIMESTAMP), []);
    const without = right("active").replace(/<script type="application\/json".*?<\/script>/s, "");
    assert.equal(checkHydrationData(without, TIMESTAMP)[0]?.rule, "hydration-data");
  });

  it("tells another request's page by its text", () => {
    const atMs = Date.parse(TIMESTAMP);
    const times = { sentAtMs: atMs, endedAtMs: atMs + 1 };
    const rules = (html: string, nonce: string, at = times): string[] =>
      checkOwnPage(html, nonce, at).map(({ rule }) => rule);
    const html = `${right()}<!-- n1 -->`;
    assert.deepEqual(rules(html, "n1"), []);
    assert.deepEqual(rules(html, "n2"), ["nonce"]);
    assert.deepEqual(rules(html, "n1", { sentAtMs: atMs + 1, endedAtMs: atMs + 2 }), ["timestamp-window"]);
    assert.deepEqual(rules("n1", "n1"), ["timestamp"]);
  });

  it("wants no title of another request, wherever it stands", () => {
    const stale = right().replace("</body>", "<!-- Todo 007 at 2026-09-11T22:49:49.676Z --></body>");
    assert.deepEqual(
      checkHydrationData(stale, TIMESTAMP).map(({ rule }) => rule),
      ["stale-data"],
    );
  });
});

describe("checkShown", () => {
  it("holds a page to the model, whatever it has come to", () => {
    const model = openApp(TODOS);
    const state = readPage(parsePage(right()).root);
    assert.deepEqual(checkShown(state, viewOf(model)), []);
    const rules = (expected: typeof model): string[] =>
      checkShown(state, viewOf(expected)).map(({ rule }) => rule);
    assert.deepEqual(rules(toggle(model, "todo-002")), ["completed", "checked", "remaining"]);
    assert.deepEqual(rules(search(model, "todo 002")), ["item-count", "item-order", "search-field"]);
  });
});
