/**
 * Watches the parser: which item elements the server's document held, from the first on. Costs time, so it is for the
 * unmeasured visit only; a measured one looks when the document has been parsed.
 */
import type { Page } from "playwright-core";
import { answerOf } from "./answer.ts";

/** Ids of items, in the order in which they came. */
export interface ParsedItems {
  readonly seen: readonly string[];
  /** Of those, the ones whose first object isn't in the page any more. */
  readonly replaced: readonly string[];
}

declare global {
  interface Window {
    readonly todoBenchParsing: () => ParsedItems;
  }
}

/** Puts the watch into every document that the page opens from now on. */
export async function watchParsing(page: Page): Promise<void> {
  await page.addInitScript({ content: `(${installWatch})();` });
}

export async function readParsed(page: Page): Promise<ParsedItems> {
  return await answerOf(page.evaluate(() => window.todoBenchParsing()));
}

/** Runs in the page, before any script of its own; sent as text. The browser reports to observers before each script. */
function installWatch(): void {
  const first = new Map<string, Element>();
  const watch = (root: Node): void => observer.observe(root, { subtree: true, childList: true });
  const note = (element: Element): void => {
    const id = element.getAttribute("data-todo");
    if (id !== null && !first.has(id)) first.set(id, element);
    const { shadowRoot } = element;
    if (shadowRoot !== null) {
      watch(shadowRoot);
      for (const child of shadowRoot.children) note(child);
    }
    for (const child of element.children) note(child);
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof Element) note(node);
  });
  watch(document);
  Object.defineProperty(window, "todoBenchParsing", {
    value: (): ParsedItems => ({
      seen: [...first.keys()],
      replaced: [...first].filter(([, element]) => !element.isConnected).map(([id]) => id),
    }),
  });
}
