import assert from "node:assert/strict";
import { it } from "node:test";
import { type DomNode, descendants, type ElementNode, shownTree } from "./dom.ts";

function live(name: string, visible: boolean, shadow: readonly DomNode[] | null = null): ElementNode {
  const state = { checked: false, value: "", visible, focused: false };
  return { kind: "element", name, attributes: [], children: [], shadow, live: state };
}

it("what has no box by its nature, such as a shadow root's stylesheet, isn't taken for hidden", () => {
  const host = live("x-item", true, [live("link", false), live("style", false), live("span", false)]);
  assert.deepEqual(
    descendants(shownTree(host)).map(({ name }) => name),
    ["x-item", "span"],
  );
});
