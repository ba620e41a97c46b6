import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { answerOf, hasEnded, hasNavigated, pageLost } from "./answer.ts";

const page = (closed: boolean): Page => ({ isClosed: () => closed }) as Page;

test("an answer, and a refusal, are passed on", async () => {
  assert.equal(await answerOf(Promise.resolve(7)), 7);
  await assert.rejects(answerOf(Promise.reject(new Error("no"))), /^Error: no$/);
});

test("a page that doesn't answer is lost, and no sooner than it was told to wait", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let lost: unknown = null;
  const asked = answerOf(new Promise(() => undefined), 2_000).catch((error: unknown) => {
    lost = error;
  });
  t.mock.timers.tick(11_999);
  await Promise.resolve();
  assert.equal(lost, null);
  t.mock.timers.tick(1);
  await asked;
  assert.match(String(lost), /the page hasn't answered for 12 s/);
});

test("a page that went elsewhere is told from one that has ended", () => {
  const navigated = new Error(
    "page.evaluate: Execution context was destroyed, most likely because of a navigation.",
  );
  assert.ok(hasNavigated(navigated));
  assert.ok(!hasEnded(page(false), navigated));
  const crashed = new Error("page.evaluate: Target crashed ");
  assert.ok(hasEnded(page(false), crashed));
  assert.ok(!hasNavigated(crashed));
  assert.ok(hasEnded(page(true), new Error("anything")));
  assert.ok(!hasNavigated(pageLost("the page went to another document by itself", navigated)));
});
