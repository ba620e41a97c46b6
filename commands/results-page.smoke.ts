/** The page in a real browser: read without its script, sorted and filtered with it, on narrow screens and in the dark. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findChromium } from "../harness/chromium.ts";
import { PROJECT_ROOT } from "../harness/project.ts";
import { makePublication } from "../report/testing/right-publication.ts";

const ADAPTERS = ["alpha", "beta", "delta", "gamma"];
const TABLE = "table[data-name=load-progressive]";

let folder: string;
let page: string;
let browser: Browser;

function make(...args: readonly string[]) {
  return execa(process.execPath, [path.join(PROJECT_ROOT, "commands", "results-page.ts"), ...args], {
    reject: false,
  });
}

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "results-page-"));
  page = path.join(folder, "index.html");
  const files: string[] = [];
  for (const [name, report] of Object.entries(makePublication(ADAPTERS, 6))) {
    const file = path.join(folder, name);
    await writeFile(file, JSON.stringify(report));
    files.push(file);
  }
  const { exitCode, stderr } = await make(...files, "--output", page);
  assert.equal(exitCode, 0, stderr);
  const executablePath = findChromium()?.file ?? assert.fail("a Chromium is needed");
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

/** Opens the page, hands it to `look`, and holds it to have been quiet: nothing asked for, nothing on the console. */
async function open(
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
  hash = "",
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const opened = await context.newPage();
    const heard: string[] = [];
    opened.on("console", (message) => heard.push(message.text()));
    opened.on("pageerror", (error) => heard.push(error.message));
    opened.on("request", (request) => {
      if (!request.isNavigationRequest() && !request.url().startsWith("data:")) heard.push(request.url());
    });
    await opened.goto(`${pathToFileURL(page)}${hash}`);
    await look(opened);
    assert.deepEqual(heard, []);
  } finally {
    await context.close();
  }
}

function names(opened: Page): Promise<string[]> {
  return opened
    .locator(`${TABLE} tbody tr:visible th`)
    .evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent?.trim() ?? ""));
}

describe("the page", () => {
  test("is read without its script", async () => {
    await open({ javaScriptEnabled: false }, async (opened) => {
      assert.equal((await names(opened)).length, ADAPTERS.length);
      assert.equal(await opened.locator("svg").first().isVisible(), true);
      assert.equal(await opened.locator("[data-filters]").isVisible(), false);
    });
  });

  test("sorts by keyboard, says so, and keeps it in the address", async () => {
    await open({}, async (opened) => {
      const before = await names(opened);
      const rps = opened.locator(`${TABLE} thead th`, { hasText: "RPS" });
      await rps.getByRole("button").focus();
      await opened.keyboard.press("Enter");
      assert.equal(await rps.getAttribute("aria-sort"), "descending");
      await opened.keyboard.press("Enter");
      assert.equal(await rps.getAttribute("aria-sort"), "ascending");
      assert.deepEqual(await names(opened), before.toReversed());
      await opened.reload();
      assert.deepEqual(await names(opened), before.toReversed());
      assert.equal(await rps.getAttribute("aria-sort"), "ascending");
    });
  });

  test("filters by name and runtime, and keeps it in the address", async () => {
    await open({}, async (opened) => {
      await opened.getByLabel("Adapter", { exact: true }).fill("gam");
      assert.deepEqual(await names(opened), ["gamma"]);
      await opened.reload();
      assert.deepEqual(await names(opened), ["gamma"]);
      await opened.getByLabel("Adapter", { exact: true }).fill("");
      await opened.getByLabel("Runtime").selectOption("node");
      assert.equal((await names(opened)).length, ADAPTERS.length);
    });
  });

  test("takes an address that makes no sense", async () => {
    const look = async (opened: Page) => assert.equal((await names(opened)).length, ADAPTERS.length);
    await open({}, look, "#sort-load-progressive=99.sideways&runtime=&q=");
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`fits a narrow screen, and can be read, in ${colorScheme}`, async () => {
      await open({ colorScheme, viewport: { width: 360, height: 700 } }, async (opened) => {
        const width = await opened.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 360, `${width}`);
        for (const selector of ["p.soft", "a", "th", ".lead b", "dt"]) {
          const contrast = await opened.locator(selector).first().evaluate(contrastOf);
          assert.ok(contrast >= LEAST_CONTRAST, `${selector}: ${contrast.toFixed(2)}`);
        }
      });
    });
  }
});

/** Of ordinary text: WCAG 2.2, success criterion 1.4.3, level AA. */
const LEAST_CONTRAST = 4.5;

/** Of an element's text to the first background behind it: WCAG 2.2, "contrast ratio". Runs in the page. */
function contrastOf(element: Element): number {
  const parse = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = parse(color).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  let behind: Element | null = element;
  let background = "rgba(0, 0, 0, 0)";
  while (behind !== null && parse(background)[3] === 0) {
    background = getComputedStyle(behind).backgroundColor;
    behind = behind.parentElement;
  }
  const [one, other] = [luminance(getComputedStyle(element).color), luminance(background)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

test("a report that doesn't hold is refused, and what is there stays", async () => {
  const before = await readFile(page, "utf8");
  const forged = path.join(folder, "forged.json");
  const text = await readFile(path.join(folder, "ssr-todo-official.json"), "utf8");
  await writeFile(forged, text.replace(/("rows":\[.*?"completedRps":)[\d.]+/, "$199999"));
  const { exitCode, stderr } = await make(forged, "--output", page);
  assert.equal(exitCode, 1);
  assert.match(stderr, /completedRps/);
  assert.equal(await readFile(page, "utf8"), before);
});

test("wrong use ends with 2", async () => {
  const { exitCode, stderr } = await make(path.join(folder, "none.json"));
  assert.equal(exitCode, 2);
  assert.match(stderr, /there is no file/);
});

test("is small", async () => {
  assert.ok((await stat(page)).size < 1_000_000);
});
