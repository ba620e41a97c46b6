import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserVisit } from "../report/browser/schema.ts";
import { makeBrowserPlan, makeRightVisit } from "../report/testing/right-browser-report.ts";
import { assertAllRight, describeBrowserVisit, describeReadyCheck } from "./wrong-visits.ts";

const RIGHT = makeRightVisit(makeBrowserPlan(), { adapter: "alpha", round: 2, stepSeed: 1 }, 0, 1);
const FAILURE = {
  stage: "launch",
  code: "browser-gone",
  message: "\u001b[2mit didn't start\u001b[22m\nand printed a lot",
  hint: "Look at it.",
} as const;

test("a wrong visit has a line for each problem of a step, and for each beside the steps", () => {
  const wrong: BrowserVisit = {
    ...RIGHT,
    status: "wrong",
    keptIn: "results/failures/a",
    problems: [{ rule: "console", expected: "no error on the console", seen: "boom" }],
    steps: RIGHT.steps.map((step) =>
      step.n === 7 ? { ...step, problems: [{ rule: "completed", expected: "false", seen: "true" }] } : step,
    ),
  };
  assert.deepEqual(describeBrowserVisit(wrong), [
    "alpha round 2: wrong, kept in results/failures/a",
    "step 7, completed: expected false; seen true",
    "console: expected no error on the console; seen boom",
  ]);
});

test("a failure is told in one line without colours, with its hint", () => {
  const { timing } = RIGHT;
  const visit: BrowserVisit = {
    status: "failed",
    adapter: "alpha",
    round: 2,
    timing,
    failure: FAILURE,
    keptIn: null,
  };
  assert.deepEqual(describeBrowserVisit(visit), [
    "alpha round 2: failed at launch (browser-gone): it didn't start",
    "Look at it.",
  ]);
  assert.deepEqual(
    describeReadyCheck({ status: "failed", adapter: "alpha", failure: FAILURE, keptIn: "x" }),
    ["alpha, ready check: failed at launch (browser-gone): it didn't start, kept in x", "Look at it."],
  );
});

test("nothing is thrown where all was right", () => {
  assertAllRight([{ status: "right", adapter: "alpha" }], [RIGHT], "/report.json");
});
