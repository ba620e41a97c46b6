import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { assertOwnName } from "../../harness/official-name.ts";
import { baselineFile, makePlan } from "../../runner/plan.ts";
import { commandOf, type MeasuringStep, officialSteps } from "./steps.ts";

const steps = officialSteps({ adapters: 16, rounds: 1 });
const measuring = steps.filter((step): step is MeasuringStep => step.kind === "measure");

test("build, both modes, browser, summaries, page", () => {
  assert.deepEqual(
    steps.map(({ name }) => name),
    ["build", "progressive run", "complete run", "browser run", "summaries", "page"],
  );
});

test("each load run writes the report that its baseline's name stands for", () => {
  const plan = makePlan(
    { runtimeMode: "official", responseMode: "progressive", filtered: false },
    ["one"],
    { server: 0, others: [1] },
    1,
  );
  for (const { reportKind, naming, report } of measuring) {
    if (reportKind === "ssr-load") assert.equal(path.basename(report), baselineFile(`${naming[1]}`, plan));
    else assert.equal(naming[1], report);
  }
});

test("what it writes has names that only official reports may have", () => {
  for (const { report } of measuring) {
    assert.throws(() => assertOwnName(report, { runtimeMode: "quick", filtered: false }), { code: "usage" });
  }
});

test("the time is guessed from adapters and rounds", () => {
  const guess = (adapters: number, rounds: number): number =>
    officialSteps({ adapters, rounds }).reduce((sum, { guessMs }) => sum + guessMs, 0);
  assert.ok(guess(16, 6) > guess(16, 1));
  assert.ok(guess(16, 1) > guess(15, 1));
});

test("a whole command names the report", () => {
  for (const step of measuring) assert.deepEqual(commandOf(step).slice(-2), step.naming);
});
