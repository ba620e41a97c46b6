import assert from "node:assert/strict";
import { test } from "node:test";
import type { OfficialEvent } from "./events.ts";
import type { SoFar } from "./progress-so-far.ts";
import { type OfficialRun, type RunStep, runOfficial } from "./run.ts";
import { officialSteps } from "./steps.ts";

const steps = officialSteps({ adapters: 2, rounds: 1 });

interface Told {
  readonly commands: (readonly string[])[];
  readonly events: OfficialEvent[];
  readonly run: OfficialRun;
}

function setUp(options: {
  readonly soFar?: Readonly<Record<string, SoFar>>;
  readonly exitCodes?: Readonly<Record<string, number>>;
  readonly lines?: readonly string[];
  readonly signal?: AbortSignal;
}): Told {
  const commands: (readonly string[])[] = [];
  const events: OfficialEvent[] = [];
  const runStep: RunStep = async (args, onLine) => {
    commands.push(args);
    for (const line of args.includes("--json") ? (options.lines ?? []) : []) onLine(line);
    const exitCode =
      Object.entries(options.exitCodes ?? {}).find(([word]) => args.join(" ").includes(word))?.[1] ?? 0;
    return { exitCode, said: exitCode === 0 ? "" : "what went wrong" };
  };
  const run: OfficialRun = {
    steps,
    soFar: ({ name }) => options.soFar?.[name] ?? "nothing",
    runStep,
    onEvent: (event) => events.push(event),
    signal: options.signal ?? new AbortController().signal,
  };
  return { commands, events, run };
}

test("runs every step in order, with events from those that measure", async () => {
  const { commands, run } = setUp({});
  const ended = await runOfficial(run);
  assert.deepEqual(
    ended.map(({ outcome }) => outcome),
    steps.map(() => "done"),
  );
  assert.deepEqual(
    commands.map((words) => words.at(-1) === "--json"),
    steps.map(({ kind }) => kind === "measure"),
  );
});

test("what is whole isn't measured again, and what was begun is gone on with", async () => {
  const { commands, run } = setUp({ soFar: { "progressive run": "done", "complete run": "begun" } });
  const ended = await runOfficial(run);
  assert.equal(ended[1]?.outcome, "was-done");
  assert.ok(!commands.some((words) => words.includes("progressive")));
  const resumed = commands.find((words) => words.includes("complete"));
  assert.deepEqual(resumed?.slice(resumed.indexOf("--resume"), resumed.indexOf("--resume") + 2), [
    "--resume",
    "results/ssr-todo-official-complete.json",
  ]);
  assert.ok(!resumed?.includes("--save-baseline"));
});

test("a run that failed doesn't keep the others from showing what else is wrong", async () => {
  const { events, run } = setUp({ exitCodes: { browser: 1 } });
  const ended = await runOfficial(run);
  assert.deepEqual(
    ended.map(({ outcome }) => outcome),
    ["done", "done", "done", "failed", "done", "done"],
  );
  const failed = events.find((event) => event.type === "ended" && event.outcome === "failed");
  assert.equal(failed?.type === "ended" && failed.said, "what went wrong");
});

test("without a build there is nothing to measure", async () => {
  const { run } = setUp({ exitCodes: { "build.ts": 1 } });
  assert.equal((await runOfficial(run)).length, 1);
});

test("the time left is the step's own and that of all later ones", async () => {
  const { events, run } = setUp({ lines: ['{"type":"stage","stage":"warm","leftMs":1000}'] });
  await runOfficial(run);
  const [first] = events.filter((event) => event.type === "time");
  const laterMs = steps.slice(2).reduce((sum, { guessMs }) => sum + guessMs, 0);
  assert.equal(first?.leftMs, 1000 + laterMs);
});

test("an interruption ends it", async () => {
  const controller = new AbortController();
  const { commands, run } = setUp({ signal: controller.signal });
  const reason = new Error("interrupted");
  const ending = runOfficial({
    ...run,
    runStep: async (args, onLine, signal) => {
      controller.abort(reason);
      return await run.runStep(args, onLine, signal);
    },
  });
  await assert.rejects(ending, reason);
  assert.equal(commands.length, 1);
});
