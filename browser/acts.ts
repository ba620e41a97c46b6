/** Does what a person does: real clicks and key presses, which the page sees as trusted events. */
import type { Locator, Page } from "playwright-core";
import { assertNever } from "../report/assert-never.ts";
import type { Act, Target } from "../todo/contract/steps.ts";

/** Every act but the opening of the page. */
export type PersonsAct = Exclude<Act, { readonly kind: "open" }>;

/** @throws Playwright's own error where the element isn't there, or isn't to be clicked, by `limitMs` */
export async function perform(page: Page, act: PersonsAct, limitMs: number): Promise<void> {
  switch (act.kind) {
    case "click":
      return await locate(page, act.target).click({ timeout: limitMs });
    case "type":
      return await typeOver(page, act.target, act.text, limitMs);
    case "press":
      await focusField(page, act.target, limitMs);
      return await page.keyboard.press(act.key);
    case "history":
      // A page that goes somewhere else instead is seen by its address.
      await (act.direction === "back" ? page.goBack : page.goForward).call(page, {
        waitUntil: "commit",
        timeout: limitMs,
      });
      return;
    default:
      return assertNever(act);
  }
}

/** Playwright's selectors reach through open shadow roots. */
function locate(page: Page, { item, selector }: Target): Locator {
  const scope = item === null ? page.locator("[data-todo-app]") : page.locator(`[data-todo="${item}"]`);
  return scope.locator(selector);
}

async function typeOver(page: Page, target: Target, text: string, limitMs: number): Promise<void> {
  await focusField(page, target, limitMs);
  await page.keyboard.press("ControlOrMeta+A");
  if (text === "") await page.keyboard.press("Backspace");
  else await page.keyboard.type(text);
}

/** With a click, as a person does, unless it has the focus already. */
async function focusField(page: Page, target: Target, limitMs: number): Promise<void> {
  const field = locate(page, target);
  const focused = await field.evaluate((element) => element.matches(":focus"), undefined, {
    timeout: limitMs,
  });
  if (!focused) await field.click({ timeout: limitMs });
}
