import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeasuredVisit } from "../schema.ts";
import { makePlan, makeReport } from "../testing/right-report.ts";
import { checkKeptBodies } from "./load.ts";

const plan = makePlan();

function rulesWith(longestMs: number): string[] {
  const [visit] = makeReport(plan).visits as [MeasuredVisit];
  visit.keptBodies.checked = 0;
  visit.load.latency.maxUs = longestMs * 1000;
  return checkKeptBodies(visit, plan).map(({ rule }) => rule);
}

test("no kept body is a contradiction where requests began and ended in the window", () => {
  assert.deepEqual(rulesWith(0.4 * plan.windowMs), ["kept-bodies"]);
});

test("it is none where a request takes half the window: one that began in it may not have ended in it", () => {
  assert.deepEqual(rulesWith(0.5 * plan.windowMs), []);
});
