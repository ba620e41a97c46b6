import assert from "node:assert/strict";
import { test } from "node:test";
import { type DomNode, descendants, type ElementNode, shownTree, textOf } from "./dom.ts";

function element(
  name: string,
  children: readonly DomNode[] = [],
  shadow: readonly DomNode[] | null = null,
): ElementNode {
  return { kind: "element", name, attributes: [], children, shadow, live: null };
}

const text = (content: string): DomNode => ({ kind: "text", text: content });

const shownNames = (root: ElementNode): string[] => descendants(shownTree(root)).map(({ name }) => name);

test("a shadow root's stylesheets aren't shown, whatever else stands in it is", () => {
  const shadow = [element("link"), element("style", [text("p {}")]), element("p", [text("shown")])];
  const root = element("x-app", [element("b", [text("in no slot")])], shadow);
  assert.deepEqual(shownNames(root), ["x-app", "p"]);
  assert.equal(textOf(shownTree(root)), "shown");
});

test("what would be put inside an element of metadata isn't shown, so that nothing hides there", () => {
  for (const name of ["base", "link", "meta"]) {
    assert.deepEqual(shownNames(element("main", [element(name, [element("p", [text("hidden")])])])), [
      "main",
    ]);
  }
});
