/** That the official run's steps are commands that the runs themselves take: a plan that can't be begun is no plan. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { execa } from "execa";
import { PROJECT_ROOT } from "../harness/project.ts";
import { commandOf, officialSteps } from "./official/steps.ts";

const COMMAND = path.join(PROJECT_ROOT, "commands", "bench-official.ts");
const run = (args: readonly string[]) => execa(process.execPath, args, { cwd: PROJECT_ROOT, reject: false });

test("--dry-run shows every command and the time in all, and begins nothing", async () => {
  const { stdout, exitCode } = await run([COMMAND, "--dry-run"]);
  assert.equal(exitCode, 0);
  for (const step of officialSteps({ adapters: 1, rounds: 1 })) {
    assert.ok(stdout.includes(`node ${commandOf(step).join(" ")} `), step.name);
  }
  assert.match(stdout, /About .+ in all\.\n?$/);
});

test("each measuring step's command is one that its run takes", async () => {
  for (const step of officialSteps({ adapters: 1, rounds: 1 })) {
    if (step.kind !== "measure") continue;
    const { stdout, stderr, exitCode } = await run([...commandOf(step), "--dry-run"]);
    assert.equal(exitCode, 0, stderr);
    assert.ok(stdout.includes(step.report), step.name);
    assert.ok(stdout.includes('"runtimeMode": "official"'), step.name);
  }
});

test("wrong use ends with 2", async () => {
  assert.equal((await run([COMMAND, "--rounds", "none"])).exitCode, 2);
  assert.equal((await run([COMMAND, "--only", "one"])).exitCode, 2);
});
