/**
 * Every built adapter in an installed Chromium: what the server sent is what hydrates, and the page does what its
 * buttons, fields and links say. Not the measured steps: a shorter walk over the same behaviour.
 *
 * `ONLY=a,b` walks some adapters; `CHROMIUM_PATH` names the browser.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { builtAdapters, launchChromium, start } from "./running.ts";

const STEP_LIMIT_MS = 5000;

/** The page of one walk, with everything that went wrong in it. */
class Walk {
  readonly faults: string[] = [];
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.faults.push(message.text());
    });
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("requestfailed", (request) => {
      // A router gives up what it has asked for when another page is gone to.
      const givenUp =
        request.failure()?.errorText === "net::ERR_ABORTED" && request.resourceType() === "fetch";
      if (!givenUp) this.faults.push(`${request.url()} failed`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.faults.push(`${response.url()} ${response.status()}`);
    });
  }

  at(name: string): Locator {
    return this.page.locator(`[data-${name}]`);
  }

  item(id: string): Locator {
    return this.page.locator(`[data-todo="${id}"]`);
  }

  async follow(filter: string): Promise<void> {
    await this.page.locator(`[data-filter="${filter}"]`).click();
  }

  async ready(): Promise<void> {
    await this.page.locator("[data-todo-app][data-ready]").waitFor();
  }

  async ids(): Promise<string[]> {
    return this.at("todo").evaluateAll((items) => items.map((item) => item.getAttribute("data-todo") ?? ""));
  }

  /** Waits until `count` items and this remaining text are shown. */
  async shows(count: number, remaining: string): Promise<void> {
    await this.eventually(async () => {
      assert.equal(await this.at("todo").count(), count);
      assert.equal((await this.at("remaining").textContent())?.trim(), remaining);
    });
  }

  /** Waits until exactly these items are shown, in this order. */
  async lists(ids: readonly string[]): Promise<void> {
    await this.eventually(async () => assert.deepEqual(await this.ids(), ids));
  }

  /** Repeats a check until it passes, or throws its last failure. */
  private async eventually(check: () => Promise<void>): Promise<void> {
    const deadline = Date.now() + STEP_LIMIT_MS;
    for (;;) {
      try {
        await check();
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(10);
      }
    }
  }
}

/** Collects, before any script of the page runs, every item element that exists until the page is ready. */
function collectItemsUntilReady(): void {
  const items = new Set<Element>();
  const collect = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.hasAttribute("data-todo")) items.add(element);
      if (element.shadowRoot !== null) collect(element.shadowRoot);
    }
  };
  Object.assign(window, { itemsUntilReady: items });
  const observer = new MutationObserver(() => {
    collect(document);
    if (performance.getEntriesByName("todo:ready").length > 0) observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true });
}

/** The server's items are still there, the same objects, and no others have been in their place. */
async function keptItems(walk: Walk, count: number): Promise<void> {
  const seen = await walk.at("todo").evaluateAll((items) => {
    const { itemsUntilReady } = window as unknown as { readonly itemsUntilReady: Set<Element> };
    return { ever: itemsUntilReady.size, kept: items.filter((item) => itemsUntilReady.has(item)).length };
  });
  assert.deepEqual(seen, { ever: count, kept: count }, "hydration replaced the server's items");
}

/** Titles in a raw response, read as a browser reads it, declarative shadow roots included. */
async function rawTitles(walk: Walk, html: string): Promise<string[]> {
  return walk.page.evaluate((text) => {
    const titles: string[] = [];
    const visit = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll("*")) {
        if (element.hasAttribute("data-title")) titles.push(element.textContent?.trim() ?? "");
        if (element.shadowRoot !== null) visit(element.shadowRoot);
      }
    };
    visit(Document.parseHTMLUnsafe(text));
    return titles;
  }, html);
}

async function hydrates(walk: Walk, origin: string): Promise<void> {
  const response = await walk.page.goto(`${origin}/`);
  assert(response !== null);
  await walk.ready();
  await walk.shows(100, "66 items left");
  const raw = await rawTitles(walk, await response.text());
  assert.equal(raw.length, 100);
  assert.equal(new Set(raw.map((title) => title.slice("Todo 001 at ".length))).size, 1);
  const titles = await walk.at("title").allTextContents();
  assert.deepEqual(
    titles.map((title) => title.trim()),
    raw,
  );
  await keptItems(walk, 100);
}

async function hydratesFiltered(walk: Walk, origin: string): Promise<void> {
  await walk.page.goto(`${origin}/active`);
  await walk.ready();
  await walk.shows(66, "66 items left");
  await keptItems(walk, 66);
  await walk.follow("completed");
  await walk.shows(34, "66 items left");
  await walk.follow("all");
  await walk.shows(100, "66 items left");
}

async function addAndToggle(walk: Walk): Promise<void> {
  await walk.at("new").fill("by Enter");
  await walk.at("new").press("Enter");
  await walk.shows(101, "67 items left");
  await walk.at("new").fill('  <b>by "button"</b> &  ');
  await walk.at("add").click();
  await walk.shows(102, "68 items left");
  assert.deepEqual((await walk.ids()).slice(0, 3), ["todo-102", "todo-101", "todo-001"]);
  assert.equal(await walk.item("todo-102").locator("[data-title]").textContent(), '<b>by "button"</b> &');
  assert.equal(await walk.at("new").inputValue(), "");
  await walk.at("add").click();
  await walk.shows(102, "68 items left");
  await walk.item("todo-002").locator("[data-toggle]").click();
  await walk.shows(102, "67 items left");
  assert.equal(await walk.item("todo-002").getAttribute("data-completed"), "true");
  assert.equal(await walk.item("todo-002").locator("[data-toggle]").isChecked(), true);
}

async function edit(walk: Walk): Promise<void> {
  const field = walk.at("edit-input");
  const title = (id: string): Promise<string | null> => walk.item(id).locator("[data-title]").textContent();
  const before = await title("todo-005");
  const open = async (id: string): Promise<void> => {
    await walk.item(id).locator("[data-edit]").click();
    await field.waitFor();
    assert.equal(await field.evaluate((element) => element.matches(":focus")), true);
    assert.equal(await walk.item(id).locator("[data-title]").count(), 0);
  };

  await open("todo-005");
  assert.equal(await field.inputValue(), before);
  await field.fill("  by Enter ");
  await field.press("Enter");
  await field.waitFor({ state: "detached" });
  assert.equal(await title("todo-005"), "by Enter");

  const restored = await title("todo-006");
  await open("todo-006");
  await field.fill("never");
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
  assert.equal(await title("todo-006"), restored);

  await open("todo-007");
  await field.fill("by Tab");
  await field.press("Tab");
  await field.waitFor({ state: "detached" });
  assert.equal(await title("todo-007"), "by Tab");

  await open("todo-008");
  await field.fill(" ");
  await field.press("Enter");
  await walk.shows(101, "66 items left");
  assert.equal(await walk.item("todo-008").count(), 0);

  await walk.item("todo-009").locator("[data-delete]").click();
  await walk.shows(100, "65 items left");
}

async function filters(walk: Walk): Promise<void> {
  const address = (): string => new URL(walk.page.url()).pathname;
  const current = (name: string): Promise<string | null> =>
    walk.page.locator(`[data-filter="${name}"]`).getAttribute("aria-current");
  await walk.page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await walk.follow("active");
  await walk.shows(65, "65 items left");
  assert.equal(address(), "/active");
  assert.equal(await current("active"), "page");
  assert.equal(await current("all"), null);
  await walk.item("todo-003").locator("[data-toggle]").click();
  await walk.shows(64, "64 items left");
  await walk.follow("completed");
  await walk.shows(36, "64 items left");
  await walk.page.goBack();
  await walk.shows(64, "64 items left");
  assert.equal(address(), "/active");
  await walk.page.goForward();
  await walk.shows(36, "64 items left");
  await walk.follow("all");
  await walk.shows(100, "64 items left");
  assert.equal(address(), "/");
  assert.equal(await walk.page.evaluate(() => "sameDocument" in window), true);
}

async function searchSortAndAll(walk: Walk): Promise<void> {
  await walk.at("search").fill("toDO 09");
  await walk.shows(10, "64 items left");
  await walk.at("search").fill("");
  await walk.shows(100, "64 items left");
  const order = await walk.ids();
  await walk.at("sort").click();
  await walk.lists([...order].reverse());
  await walk.at("sort").click();
  await walk.lists(order);
  await walk.at("toggle-all").click();
  await walk.shows(100, "0 items left");
  await walk.at("toggle-all").click();
  await walk.shows(100, "100 items left");
  await walk.item("todo-010").locator("[data-toggle]").click();
  await walk.shows(100, "99 items left");
  await walk.at("clear-completed").click();
  await walk.shows(99, "99 items left");
  assert.equal(await walk.item("todo-010").count(), 0);
}

const manifests = await builtAdapters(process.env.ONLY?.split(","));

describe("hydration", { concurrency: 1 }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());

  test("there is an adapter to walk through", () => {
    assert.notEqual(manifests.length, 0, "Nothing is built: run `pnpm build` first.");
  });

  for (const manifest of manifests) {
    for (const responseMode of ["progressive", "complete"]) {
      test(`${manifest.id}, ${responseMode}`, async () => {
        const server = await start(manifest, responseMode);
        const page = await browser.newPage();
        try {
          page.setDefaultTimeout(STEP_LIMIT_MS);
          const walk = new Walk(page);
          await page.addInitScript(collectItemsUntilReady);
          await hydrates(walk, server.origin);
          await addAndToggle(walk);
          await edit(walk);
          await filters(walk);
          await searchSortAndAll(walk);
          await hydratesFiltered(walk, server.origin);
          assert.deepEqual(walk.faults, []);
        } finally {
          await page.close();
          await server.stop();
        }
      });
    }
  }
});
