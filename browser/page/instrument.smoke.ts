/** What the instrument sees of pages that do unusual things, in a real browser. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { markRun } from "../../harness/mark.ts";
import { launchBrowser, type OpenBrowser } from "../chromium.ts";
import { openDisplay } from "../display.ts";
import { armPage, instrumentPage, readPageNow } from "./calls.ts";
import type { WireElement, WireNode } from "./wire.ts";

const LIMIT_MS = 5_000;

/** An element that a template's clone brings along, with a root of its own, which changes 200 ms later. */
const CLONED_ROOT = `<button>go</button><p>before</p><script>
  const template = document.createElement("template");
  template.setHTMLUnsafe("<x-a><template shadowrootmode=open shadowrootclonable><i>0</i></template></x-a>");
  document.querySelector("button").onclick = () => {
    document.body.append(document.importNode(template.content, true));
    const { shadowRoot } = document.querySelector("x-a");
    setTimeout(() => { shadowRoot.querySelector("i").textContent = "1"; }, 200);
  };
</script>`;

const WRAPPERS = `<div id="island" style="display: contents"><p id="in-island">seen</p></div>
<div id="unseen" style="display: contents; visibility: hidden">not seen</div>
<div id="none" style="display: none"><div id="in-none" style="display: contents">not seen</div></div>
<p id="clear" style="opacity: 0">not seen</p>`;

describe("the instrument", () => {
  const held = new AsyncDisposableStack();
  let browser: OpenBrowser;
  before(async () => {
    const mark = held.use(markRun());
    const display = held.use(await openDisplay(false, mark));
    const plan = { headed: false, viewport: { width: 800, height: 600 } };
    browser = held.use(await launchBrowser({ display, plan, spkiHash: "none", mark }));
    await instrumentPage(browser.page, false);
  });
  after(() => held.disposeAsync());

  async function open(body: string): Promise<void> {
    await browser.page.goto(`data:text/html,${encodeURIComponent(`<!doctype html><body>${body}`)}`);
    await armPage(browser.page);
  }

  test("sees what changes in a root that came with a clone", async () => {
    await open(CLONED_ROOT);
    const changed = browser.page.waitForFunction(
      () => document.querySelector("x-a")?.shadowRoot?.textContent === "1",
    );
    await browser.page.click("button");
    await changed;
    const { times } = await readPageNow(browser.page, LIMIT_MS);
    assert.ok((times.frameMs ?? 0) - (times.inputMs ?? 0) >= 200, JSON.stringify(times));
  });

  test("takes no event that a script has made for an input", async () => {
    await open(CLONED_ROOT);
    await browser.page.evaluate(() => document.querySelector("button")?.click());
    const { times } = await readPageNow(browser.page, LIMIT_MS);
    assert.equal(times.inputMs, null);
    assert.notEqual(times.frameMs, null);
  });

  test("tells what is seen from what isn't, also where there is no box", async () => {
    await open(WRAPPERS);
    const { document } = await readPageNow(browser.page, LIMIT_MS);
    const visible = new Map(elementsIn(document.root).map((element) => [idOf(element), element.v]));
    const ids = ["island", "in-island", "unseen", "none", "clear"];
    assert.deepEqual(
      ids.map((id) => visible.get(id)),
      [true, true, false, false, false],
    );
  });
});

function elementsIn(node: WireNode): WireElement[] {
  return typeof node === "string" ? [] : [node, ...node.c.flatMap(elementsIn)];
}

function idOf({ a }: WireElement): string {
  return a.find(([name]) => name === "id")?.[1] ?? "";
}
