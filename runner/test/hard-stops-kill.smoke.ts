/** `kill -9` of the runner, of a load worker and of the server, at every stage of a visit that they are there in. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StageName } from "../../report/schema.ts";
import type { RunEvent } from "../events.ts";
import {
  onlyJournal,
  type Run,
  readWhole,
  resultFiles,
  resumes,
  startRun,
  TWO_VISITS,
  withResults,
} from "./hard-stop.ts";

const STAGES: readonly StageName[] = ["start", "verify", "probe", "restart", "warm", "measure", "stop"];

const isRun = (event: RunEvent) => event.type === "run";
const isVisited = (event: RunEvent) => event.type === "visited";

describe("kill -9 of the runner", () => {
  for (const stage of STAGES) {
    test(`at ${stage}: its processes end by themselves, the journal is whole`, async () => {
      await withResults(async (file) => {
        const run = startRun({}, file);
        const { plan } = await run.until(isRun);
        await run.untilStage(stage);
        run.signal("SIGKILL");
        assert.equal((await run.gone()).signal, "SIGKILL");
        const { head, visits } = await onlyJournal(file);
        assert.deepEqual([head.plan, visits], [plan, []]);
      });
    });
  }

  test("in the second visit: --resume keeps the first and makes the second, of the same plan", async () => {
    await withResults(async (file) => {
      const run = startRun({ args: TWO_VISITS }, file);
      const { plan } = await run.until(isRun);
      await run.untilStage("measure", 2);
      run.signal("SIGKILL");
      await run.gone();
      const { visits } = await onlyJournal(file);
      assert.equal(visits.length, 1);
      const report = await resumes(file, plan);
      assert.deepEqual(report.visits[0], visits[0]);
    });
  });

  test("after the last visit: --resume makes the report of what is there", async () => {
    await withResults(async (file) => {
      const run = startRun({}, file);
      const { plan } = await run.until(isRun);
      await run.until(isVisited);
      run.signal("SIGKILL");
      await run.gone();
      const report = await resumes(file, plan);
      assert.equal(report.visits.length, 1);
    });
  });
});

/** One visit, in which `victim` is killed at a stage. @returns its failure */
async function failureOf(stage: StageName, victim: (run: Run) => number | undefined) {
  let failure:
    | { readonly stage: string; readonly code: string; readonly message: string; readonly hint: string }
    | undefined;
  await withResults(async (file) => {
    const run = startRun({}, file);
    await run.untilStage(stage);
    process.kill(await untilThere(() => victim(run)), "SIGKILL");
    const { exitCode, stderr } = await run.gone();
    assert.deepEqual([exitCode, stderr], [1, ""]);
    assert.deepEqual(await resultFiles(file), ["run.json"]);
    const [visit] = (await readWhole(file)).visits;
    assert.ok(visit?.status === "failed");
    failure = visit.failure;
  });
  assert.ok(failure !== undefined);
  return failure;
}

/** A stage begins before its processes are there. */
async function untilThere(find: () => number | undefined): Promise<number> {
  for (;;) {
    const pid = find();
    if (pid !== undefined) return pid;
    await new Promise(setImmediate);
  }
}

describe("kill -9 of a load worker", () => {
  for (const stage of ["probe", "warm", "measure"] as const) {
    test(`at ${stage}: a failed visit, load-failed`, async () => {
      const failure = await failureOf(stage, (run) => run.workers()[0]);
      assert.deepEqual([failure.stage, failure.code], [stage, "load-failed"]);
      assert.match(failure.message, /a load worker on CPU \d+ ended early, with SIGKILL/);
      assert.match(failure.hint, /Memory is the usual cause of a kill/);
    });
  }
});

describe("kill -9 of the server", () => {
  for (const stage of ["verify", "probe", "warm", "measure"] as const) {
    test(`at ${stage}: a failed visit, server-exit`, async () => {
      const failure = await failureOf(stage, (run) => run.server()[0]);
      assert.deepEqual([failure.stage, failure.code], [stage, "server-exit"]);
      assert.match(failure.message, /ended by itself with signal SIGKILL/);
      assert.match(failure.hint, /npm run serve/);
    });
  }
});
