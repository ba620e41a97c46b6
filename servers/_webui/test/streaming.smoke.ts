/** Pages that arrive slowly: what is here answers clicks, and what comes later fits to them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { builtAdapters, launchChromium, start } from "../../_kit/test/running.ts";
import { startPacedFront } from "./paced.ts";

const STEP_LIMIT_MS = 5000;
/** Half of the list stands before it. */
const MARK = 'data-todo="todo-050"';

const manifests = (await builtAdapters(process.env.ONLY?.split(","))).filter(({ inputs }) =>
  inputs.includes("servers/_webui"),
);

function item(id: string, part = ""): string {
  return `[data-todo="${id}"] ${part}`;
}

async function actsOnWhatIsHere(page: Page): Promise<void> {
  await page.click(item("todo-002", "[data-toggle]"));
  await page.locator('[data-todo="todo-002"][data-completed="true"]').waitFor();
  await page.locator("[data-remaining]", { hasText: "65 items left" }).waitFor();
  await page.click(item("todo-003", "[data-delete]"));
  await page.locator(item("todo-003")).waitFor({ state: "detached" });
  await page.click(item("todo-005", "[data-edit]"));
  await page.fill("[data-edit-input]", "changed early");
  await page.press("[data-edit-input]", "Enter");
  await page.fill("[data-new]", "added early");
  await page.press("[data-new]", "Enter");
  await page.locator(item("todo-101")).waitFor();
}

async function fits(page: Page): Promise<void> {
  await page.locator("[data-remaining]", { hasText: "65 items left" }).waitFor();
  const ids = await page
    .locator("[data-todo]")
    .evaluateAll((items) => items.map((one) => one.getAttribute("data-todo")));
  const numbers = [101, 1, 2, ...Array.from({ length: 97 }, (_, index) => index + 4)];
  assert.deepEqual(
    ids,
    numbers.map((number) => `todo-${String(number).padStart(3, "0")}`),
  );
  assert.equal(await page.textContent(item("todo-005", "[data-title]")), "changed early");
  assert.equal(await page.getAttribute('[data-todo="todo-002"]', "data-completed"), "true");
}

describe("a page that arrives slowly", { concurrency: 1 }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());

  test("there is an adapter to open", () => {
    assert.notEqual(manifests.length, 0, "Nothing is built: run `pnpm build` first.");
  });

  for (const manifest of manifests) {
    test(manifest.id, async () => {
      const server = await start(manifest, "progressive");
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(String(error)));
      page.setDefaultTimeout(STEP_LIMIT_MS);
      try {
        await using front = await startPacedFront(server.origin, MARK);
        await page.goto(front.origin, { waitUntil: "commit" });
        await page.locator(item("todo-049")).waitFor();
        assert.equal(await page.locator("[data-ready]").count(), 0);
        // FAST's templates stand at the page's end: its page answers once that is here.
        const answersEarly = manifest.deviations.some(({ code }) => code === "own-client");
        if (answersEarly) await page.locator("todo-app:defined").waitFor();
        if (answersEarly) await actsOnWhatIsHere(page);
        assert.equal(await page.locator("[data-ready]").count(), 0);
        front.letThrough();
        await page.locator("[data-todo-app][data-ready]").waitFor();
        if (!answersEarly) await actsOnWhatIsHere(page);
        await fits(page);
        assert.deepEqual(faults, []);
      } finally {
        await page.close();
        await server.stop();
      }
    });
  }
});
