import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError } from "../harness/errors.ts";
import { verifyBrowserReport } from "../report/browser/verify.ts";
import { makeBrowserReport } from "../report/testing/right-browser-report.ts";
import { type BrowserRunOptions, makeBrowserPlan } from "./plan.ts";

const QUICK: BrowserRunOptions = {
  official: false,
  filtered: false,
  headed: true,
  responseMode: "progressive",
};
const OFFICIAL: BrowserRunOptions = { ...QUICK, official: true };

test("an official plan has ten rounds unless there are more, and passes for one", () => {
  const plan = makeBrowserPlan(OFFICIAL, ["b", "a"], 7);
  assert.deepEqual(
    [plan.runtimeMode, plan.rounds, plan.seed, plan.adapters],
    ["official", 10, 7, ["a", "b"]],
  );
  assert.equal(makeBrowserPlan({ ...OFFICIAL, rounds: 20 }, ["a"], 7).rounds, 20);
  assert.deepEqual(verifyBrowserReport(makeBrowserReport(plan)), []);
  assert.ok(Object.isFrozen(plan));
});

test("a quick plan has one round, and takes what is asked for", () => {
  assert.equal(makeBrowserPlan(QUICK, ["a"], 7).rounds, 1);
  const asked = { ...QUICK, headed: false, filtered: true, rounds: 3, seed: 5 };
  const plan = makeBrowserPlan({ ...asked, responseMode: "complete" }, ["a"], 7);
  assert.deepEqual(
    [plan.headed, plan.filtered, plan.rounds, plan.seed, plan.responseMode],
    [false, true, 3, 5, "complete"],
  );
});

test("an official run with anything else is wrong use, and says all of it", () => {
  const refused: [RegExp, Partial<BrowserRunOptions>][] = [
    [/takes no --only and --skip/, { filtered: true }],
    [/takes no --headless/, { headed: false }],
    [/response mode progressive/, { responseMode: "complete" }],
    [/at least 10 rounds, not 9/, { rounds: 9 }],
    [/--only.*--headless.*at least 10/, { filtered: true, headed: false, rounds: 1 }],
  ];
  for (const [said, change] of refused) {
    assert.throws(
      () => makeBrowserPlan({ ...OFFICIAL, ...change }, ["a"], 7),
      (error) => error instanceof BenchError && error.code === "usage" && said.test(error.message),
      String(said),
    );
  }
});
