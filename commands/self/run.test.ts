import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError } from "../../harness/errors.ts";
import type { SelfBenchmark, SelfRun } from "../../harness/self-benchmark.ts";
import { medianFigure } from "../../report/self/findings.ts";
import { selfBenchmarks } from "./benchmarks.ts";
import { runBenchmarks, type SelfEvent, selectBenchmarks } from "./run.ts";

const measured: SelfRun = {
  status: "measured",
  findings: { subject: "nothing", figures: [medianFigure("one", "s", [1])], othersShares: [] },
};
const fake = (name: string, needs: string[], run: () => Promise<SelfRun>): SelfBenchmark => ({
  name,
  about: name,
  suspects: name,
  needs,
  expectedMs: () => 60_000,
  run,
});
const right = (name: string, ...needs: string[]) => fake(name, needs, async () => measured);
const failing = (name: string, error: () => unknown) =>
  fake(name, [], async () => {
    throw error();
  });

const broken = () =>
  new BenchError({ stage: "measure", code: "load-failed", message: "broken", hint: "mend" });

const run = async (benchmarks: SelfBenchmark[], signal = new AbortController().signal) => {
  const events: SelfEvent[] = [];
  const results = await runBenchmarks(
    benchmarks,
    {
      built: [],
      filtered: false,
      cpus: { server: 0, others: [0] },
      rounds: undefined,
      seconds: undefined,
      signal,
    },
    (event) => events.push(event),
  );
  return { results, events };
};

test("what is chosen brings what it needs, in the table's order; an unknown name is told", () => {
  const all = [right("a"), right("b", "a"), right("c", "b"), right("d")];
  const names = (chosen: string[] | null) => selectBenchmarks(all, chosen).map(({ name }) => name);
  assert.deepEqual(names(null), ["a", "b", "c", "d"]);
  assert.deepEqual(names(["d", "c"]), ["a", "b", "c", "d"]);
  assert.deepEqual(names(["b"]), ["a", "b"]);
  assert.throws(() => names(["x"]), { name: "BenchError", code: "usage", hint: /a, b, c, d/ });
});

test("one that fails is a result, what needs it is skipped, and the rest goes on", async () => {
  const { results } = await run([failing("a", broken), right("b", "a"), right("c")]);
  assert.deepEqual(
    results.map(({ outcome }) => outcome.status),
    ["failed", "skipped", "measured"],
  );
});

test("the time left is that of what hasn't run", async () => {
  const { events } = await run([right("a"), right("b")]);
  const left = events.flatMap((event) => (event.type === "result" ? [event.leftMs] : []));
  assert.deepEqual(left, [60_000, 0]);
});

test("a fault of the suite and an interruption end it", async () => {
  await assert.rejects(run([failing("a", () => new TypeError("fault"))]), TypeError);
  const interrupted = new BenchError({ stage: "measure", code: "interrupted", message: "stop", hint: "" });
  await assert.rejects(run([failing("a", broken)], AbortSignal.abort(interrupted)), { code: "interrupted" });
});

test("what a benchmark needs stands before it in the table, under a name of its own", () => {
  const all = selfBenchmarks();
  const names = all.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const [index, { needs }] of all.entries()) {
    for (const needed of needs)
      assert.ok(names.slice(0, index).includes(needed), `${names[index]}: ${needed}`);
  }
});
