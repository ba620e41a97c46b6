/** Ctrl-C, twice, at every stage of a visit; the other signals that end a command; and an output that nobody reads. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import type { StageName } from "../../report/schema.ts";
import type { RunEvent } from "../events.ts";
import {
  ONE_VISIT,
  readWhole,
  resultFiles,
  resumes,
  startCommand,
  startRun,
  TWO_VISITS,
  withResults,
} from "./hard-stop.ts";

const STAGES: readonly StageName[] = ["start", "verify", "probe", "restart", "warm", "measure", "stop"];

const isRun = (event: RunEvent) => event.type === "run";

/** The report says what was left out, and the journal is there to go on from. */
async function assertCutShort(file: string, statuses: readonly string[]): Promise<void> {
  assert.deepEqual(await resultFiles(file), ["run.json", "run.json.journal.ndjson"]);
  const { visits, rows } = await readWhole(file);
  assert.deepEqual(
    visits.map(({ status }) => status),
    statuses,
  );
  assert.deepEqual(
    rows.flatMap((row) => (row.status === "failed" ? [row.failure.code] : [])),
    statuses.filter((status) => status === "skipped").map(() => "interrupted"),
  );
}

describe("Ctrl-C, twice", () => {
  for (const stage of STAGES) {
    test(`at ${stage}: exit code 130, nothing is left`, async () => {
      await withResults(async (file) => {
        const run = startRun({}, file);
        await run.untilStage(stage);
        run.signalGroup("SIGINT");
        run.signalGroup("SIGINT");
        assert.deepEqual(await run.gone(), { exitCode: 130, signal: undefined, stderr: "" });
        await assertCutShort(file, ["skipped"]);
      });
    });
  }

  test("in the second visit: --resume keeps the first and makes the second, of the same plan", async () => {
    await withResults(async (file) => {
      const run = startRun({ args: TWO_VISITS }, file);
      const { plan } = await run.until(isRun);
      await run.untilStage("probe", 2);
      run.signalGroup("SIGINT");
      run.signalGroup("SIGINT");
      assert.equal((await run.gone()).exitCode, 130);
      await assertCutShort(file, ["measured", "skipped"]);
      const [first] = (await readWhole(file)).visits;
      assert.deepEqual((await resumes(file, plan)).visits[0], first);
    });
  });
});

describe("other signals", () => {
  for (const [signal, exitCode] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    test(`${signal} in the window: like Ctrl-C, with exit code ${exitCode}`, async () => {
      await withResults(async (file) => {
        const run = startRun({}, file);
        await run.untilStage("measure");
        run.signalGroup(signal);
        assert.deepEqual(await run.gone(), { exitCode, signal: undefined, stderr: "" });
        await assertCutShort(file, ["skipped"]);
      });
    });
  }
});

describe("an output that nobody reads any more", () => {
  for (const [name, args, statuses] of [
    ["events", ["--json", ...ONE_VISIT], ["skipped"]],
    ["plain lines", TWO_VISITS, ["measured", "skipped"]],
  ] as const) {
    test(`${name}: the run ends with exit code 1 and says why`, async () => {
      await withResults(async (file) => {
        const command = startCommand({ args: [...args, "--output", file] });
        await once(command.stdout, "data");
        command.stdout.destroy();
        const { exitCode, stderr } = await command.gone();
        assert.equal(exitCode, 1);
        assert.match(stderr, /^error: whoever read the output went away\n {2}Start it again/);
        await assertCutShort(file, statuses);
      });
    });
  }
});
