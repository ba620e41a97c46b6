import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { type Outcome, runProgram, runStages, type Stage } from "./stages.ts";
import { cargoOutcome, nodeTestOutcome } from "./test-stages.ts";

let printed = "";

beforeEach(() => {
  printed = "";
});

/** Not the test's own stdout, on which its results travel. */
const output = {
  isTTY: false,
  write(text: string | Uint8Array): boolean {
    printed += String(text);
    return true;
  },
};

const never = new AbortController().signal;
const outcome = (passed: number, failed: number, text = ""): Outcome => ({ passed, failed, output: text });

function stage(name: string, result: Outcome | Error, needs: readonly string[] = []): Stage {
  return {
    name,
    needs,
    run: async () => {
      if (result instanceof Error) throw result;
      return result;
    },
  };
}

test("counts are summed, one line a stage, output only of what failed", async () => {
  const stages = [stage("first", outcome(3, 0, "quiet")), stage("second", outcome(1, 2, "loud"))];
  assert.deepEqual(await runStages(stages, never, output), { passed: 4, failed: 2 });
  assert.match(printed, /^first … 3 passed \(0\.\d s\)\nsecond … 1 passed, 2 FAILED \(0\.\d s\)\n/);
  assert.doesNotMatch(printed, /quiet/);
  assert.match(printed, /loud/);
});

test("what a stage throws is one failure; later stages go on, but for those that need it", async () => {
  const stages = [
    stage("broken", new Error("no luck")),
    stage("independent", outcome(1, 0)),
    stage("dependent", outcome(5, 0), ["broken"]),
    stage("after that", outcome(5, 0), ["dependent"]),
  ];
  assert.deepEqual(await runStages(stages, never, output), { passed: 1, failed: 1 });
  assert.match(printed, /no luck/);
  assert.match(printed, /dependent … not run, because it needs: broken/);
  assert.match(printed, /after that … not run/);
});

test("an aborted signal ends the stages with its reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stop");
  const stages: Stage[] = [
    {
      name: "long",
      run: async () => {
        stop.abort(reason);
        throw new Error("cut short");
      },
    },
    stage("never", outcome(1, 0)),
  ];
  await assert.rejects(runStages(stages, stop.signal, output), (error) => error === reason);
});

test("a program's output and exit code come back, and one that isn't there is a failure", async () => {
  const context = { signal: never, onLine: () => undefined };
  const script = "console.log('out'); console.error('err'); process.exit(3)";
  const ran = await runProgram([process.execPath, "-e", script], context, { cwd: "/" });
  assert.equal(ran.exitCode, 3);
  assert.deepEqual(ran.output.split("\n").sort(), ["err", "out"]);
  assert.equal((await runProgram(["no-such-program"], context, { cwd: "/" })).exitCode, 1);
});

test("node:test's summary is counted; nothing passed, or no summary, is a failure", () => {
  const summary = (pass: number, fail: number) =>
    `ℹ tests 9\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 1\n`;
  assert.deepEqual({ ...nodeTestOutcome(1, summary(5, 2)), output: "" }, outcome(5, 3));
  assert.deepEqual({ ...nodeTestOutcome(0, "ℹ pass 5\nℹ fail 0\n"), output: "" }, outcome(5, 0));
  assert.equal(nodeTestOutcome(0, "ℹ pass 0\nℹ fail 0\n").failed, 1);
  assert.equal(nodeTestOutcome(7, "crashed").failed, 1);
  assert.equal(nodeTestOutcome(1, "✔ a\n✖ failing tests:\n\nb\n").output, "✖ failing tests:\n\nb\n");
});

test("cargo's summaries are added up", () => {
  const text =
    "test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n";
  assert.deepEqual({ ...cargoOutcome(101, text), output: "" }, outcome(4, 2));
  assert.equal(cargoOutcome(101, "error: could not compile").failed, 1);
});
