import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { allElements, attribute, descendants, shownTree, textOf } from "../todo/contract/dom.ts";
import { parsePage } from "./parse5-node.ts";

function body(html: string): string {
  return `<!doctype html><html><head><title>t</title></head><body>${html}</body></html>`;
}

/** Text of the body as shown. */
function shownText(html: string): string {
  const found = descendants(shownTree(parsePage(body(html)).root)).find(({ name }) => name === "body");
  assert.ok(found);
  return textOf(found);
}

const TEXTS: readonly (readonly [what: string, html: string, text: string])[] = [
  ["entities", "<p>a &amp; b &lt;c&gt; &quot;</p>", 'a & b <c> "'],
  [
    "no comments, scripts, styles or templates",
    "a<!--b--><script>c</script><style>d</style><template>e</template>f",
    "af",
  ],
  ["no noscript", "a<noscript>b</noscript>", "a"],
  [
    "a shadow root in place of the children",
    `<x-a><template shadowrootmode="open">in</template>out</x-a>`,
    "in",
  ],
  ["a slot filled", `<x-a><template shadowrootmode="open">[<slot></slot>]</template>out</x-a>`, "[out]"],
  [
    "a slot's own content where nothing fills it",
    `<x-a><template shadowrootmode="open"><slot>own</slot></template> </x-a>`,
    "own",
  ],
  [
    "named slots",
    `<x-a><template shadowrootmode="open"><slot name="b"></slot>-<slot></slot></template>1<i slot="b">2</i></x-a>`,
    "2-1",
  ],
  [
    "of two slots of one name the first",
    `<x-a><template shadowrootmode="open"><slot></slot><slot>-</slot></template>out</x-a>`,
    "out-",
  ],
  [
    "a slot passed on",
    `<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="open">(<slot></slot>)</template><slot></slot></x-b></template>deep</x-a>`,
    "(deep)",
  ],
  [
    "a closed root hides all",
    `<x-a><template shadowrootmode="closed">in<slot></slot></template>out</x-a>`,
    "",
  ],
  [
    "the first of two roots",
    `<x-a><template shadowrootmode="open">1</template><template shadowrootmode="open">2</template></x-a>`,
    "1",
  ],
  ["an unknown mode is a template", `<x-a><template shadowrootmode="ajar">in</template>out</x-a>`, "out"],
  [
    "no root on an element that can't have one",
    `<ul><li><template shadowrootmode="open">in</template>out</li></ul>`,
    "out",
  ],
  ["a root on a div", `<div><template shadowrootmode="OPEN">in</template>out</div>`, "in"],
  ["a slot outside any root is an element", "<slot>own</slot>", "own"],
];

describe("parsePage", () => {
  for (const [what, html, text] of TEXTS) {
    it(`shows ${what}`, () => assert.equal(shownText(html), text));
  }

  it("reads a page as deep as browsers nest, and says where one is deeper", () => {
    const nested = (depth: number) => parsePage(`<!doctype html><body>${"<div>".repeat(depth)}`);
    assert.deepEqual(nested(510).faults, []);
    assert.deepEqual(nested(511).faults, ["too-deep"]);
  });

  it("finds light children that no slot takes only among all elements", () => {
    const { root } = parsePage(
      body(`<x-a><template shadowrootmode="open"></template><i id="lost"></i></x-a>`),
    );
    const isLost = (element: Parameters<typeof attribute>[0]): boolean => attribute(element, "id") === "lost";
    assert.equal(descendants(shownTree(root)).some(isLost), false);
    assert.equal(allElements(root).some(isLost), true);
  });

  it("tells of what the parser repairs in silence", () => {
    assert.deepEqual(parsePage(body("<p>")).faults, []);
    assert.deepEqual(parsePage(body(`<p id="a" id="b">`)).faults, ["duplicate-attribute"]);
    assert.deepEqual(parsePage("<html></html>").faults, ["missing-doctype"]);
  });
});
