import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parsePage } from "../harness/parse5-node.ts";
import { makeTodos } from "../todo/contract/data.ts";
import type { DomNode, ElementNode } from "../todo/contract/dom.ts";
import { openApp, startEdit, viewOf } from "../todo/contract/model.ts";
import { pageHtml } from "../todo/contract/page.fixture.ts";
import { judgeReading } from "./oracle.ts";
import type { PageReading } from "./page/instrument.ts";
import type { WireElement, WireNode } from "./page/wire.ts";

const STAMP = "2026-01-02T03:04:05.678Z";
const MODEL = openApp(makeTodos(STAMP));
const DOCUMENT = "first";

/** A parsed page as a browser would send it over: everything visible, boxes and fields as their markup says. */
function wire(element: ElementNode): WireElement {
  const attribute = (name: string): string | undefined =>
    element.attributes.find(([key]) => key === name)?.[1];
  const wireAll = (nodes: readonly DomNode[]): WireNode[] =>
    nodes.map((node) => (node.kind === "text" ? node.text : wire(node)));
  return {
    t: element.name,
    a: element.attributes,
    c: wireAll(element.children),
    s: element.shadow === null ? null : wireAll(element.shadow),
    v: true,
    f: false,
    i:
      element.name === "input"
        ? { checked: attribute("checked") !== undefined, value: attribute("value") ?? "" }
        : null,
  };
}

function reading(html: string, changes: Partial<PageReading> = {}): PageReading {
  return {
    document: { root: wire(parsePage(html).root), focused: true },
    address: "/",
    documentId: DOCUMENT,
    times: { inputMs: null, frameMs: null },
    ...changes,
  };
}

const PAGE = pageHtml({ timestamp: STAMP, filter: "all", nonce: "" });
const READY = PAGE.replace("data-todo-app", 'data-todo-app data-ready=""');
const rules = (seen: PageReading, model = MODEL): string[] =>
  judgeReading(seen, viewOf(model), DOCUMENT).map(({ rule }) => rule);

describe("the oracle", () => {
  test("passes the page that the model says", () => {
    assert.deepEqual(rules(reading(READY)), []);
  });

  for (const [what, seen, expected] of [
    ["another address", reading(READY, { address: "/active" }), "address"],
    ["another document", reading(READY, { documentId: "second" }), "same-document"],
    ["a page that isn't ready any more", reading(PAGE), "ready"],
    [
      "a title shown once more",
      reading(READY.replace("</main>", `Todo 001 at ${STAMP}</main>`)),
      "titles-once",
    ],
    ["another title", reading(READY.replaceAll(`Todo 009 at ${STAMP}`, `Todo 009 at ${STAMP}!`)), "title"],
  ] as const) {
    test(`sees ${what}`, () => assert.ok(rules(seen).includes(expected), rules(seen).join(", ")));
  }

  test("asks for the focus in the field of the item that is edited", () => {
    assert.ok(rules(reading(READY), startEdit(MODEL, "todo-005")).includes("focus"));
  });
});
