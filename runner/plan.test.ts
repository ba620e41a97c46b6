import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError, type ErrorCode } from "../harness/errors.ts";
import { baselineFile, makePlan, type RunOptions } from "./plan.ts";

const TWO_CPUS = { server: 0, others: [1] };
const QUICK: RunOptions = { runtimeMode: "quick", filtered: false };
const OFFICIAL: RunOptions = { runtimeMode: "official", responseMode: "complete", filtered: false };

function refuses(code: ErrorCode, said: RegExp) {
  return (error: unknown) => error instanceof BenchError && error.code === code && said.test(error.message);
}

test("an official plan has the prescribed durations, connections and workers", () => {
  const plan = makePlan(OFFICIAL, ["b", "a"], TWO_CPUS, 7);
  assert.deepEqual(
    [
      plan.unrecordedMs,
      plan.probeMs,
      plan.warmMs,
      plan.warmLimitMs,
      plan.windowMs,
      plan.connections,
      plan.workers,
    ],
    [2000, 4000, 3000, 15_000, 20_000, 64, 2],
  );
  assert.deepEqual(
    [plan.adapters, plan.responseModes, plan.rounds, plan.seed],
    [["a", "b"], ["complete"], 1, 7],
  );
  assert.ok(Object.isFrozen(plan));
});

test("a quick plan does both modes unless told, and takes durations in seconds", () => {
  const plan = makePlan({ ...QUICK, seconds: 0.5, warmSeconds: 20, seed: 3 }, ["a"], TWO_CPUS, 7);
  assert.deepEqual(
    [plan.responseModes, plan.windowMs, plan.warmMs, plan.seed],
    [["progressive", "complete"], 500, 20_000, 3],
  );
  assert.equal(plan.warmLimitMs, 20_000, "a limit below the warm-up would end it early");
});

test("official refuses filters and durations, a missing mode, and an only CPU", () => {
  const spoiled: [Partial<RunOptions>, RegExp][] = [
    [{ filtered: true }, /--only and --skip/],
    [{ seconds: 5 }, /--seconds/],
    [{ connections: 8, warmSeconds: 1 }, /--connections, --warm-seconds/],
    [{ responseMode: undefined }, /one response mode/],
  ];
  for (const [change, said] of spoiled) {
    assert.throws(() => makePlan({ ...OFFICIAL, ...change }, ["a"], TWO_CPUS, 1), refuses("usage", said));
  }
  assert.throws(
    () => makePlan(OFFICIAL, ["a"], { server: 0, others: [0] }, 1),
    refuses("no-cpu", /two CPUs/),
  );
});

test("one connection has one worker", () => {
  assert.equal(makePlan({ ...QUICK, connections: 1 }, ["a"], TWO_CPUS, 1).workers, 1);
});

test("a baseline's name is plain, and official ones are for official, unfiltered runs", () => {
  const official = { runtimeMode: "official", filtered: false } as const;
  const quick = { runtimeMode: "quick", filtered: false } as const;
  assert.equal(baselineFile("official-complete", official), "ssr-todo-official-complete.json");
  assert.equal(baselineFile("mine", quick), "ssr-todo-mine.json");
  for (const name of ["../x", "a/b", "", "A", ".x", "x.json"]) {
    assert.throws(() => baselineFile(name, official), refuses("usage", /name of a baseline/), name);
  }
  assert.throws(() => baselineFile("official", quick), refuses("usage", /official/));
  assert.throws(
    () => baselineFile("officials", { ...official, filtered: true }),
    refuses("usage", /official/),
  );
});
