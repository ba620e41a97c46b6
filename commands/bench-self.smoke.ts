/** Every benchmark of the suite itself really runs, for a moment each; what the figures are isn't looked at. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { execa } from "execa";
import { discoverAdapters } from "../harness/manifest.ts";
import { PROJECT_ROOT, SERVERS_DIR } from "../harness/project.ts";
import { findProgram } from "../harness/tools.ts";
import type { SelfResult } from "../report/self/findings.ts";
import { selfBenchmarks } from "./self/benchmarks.ts";
import type { SelfEvent } from "./self/run.ts";

const COMMAND = path.join(PROJECT_ROOT, "commands", "bench-self.ts");

test("each benchmark has figures with finite values, or says why it was skipped", async () => {
  const able = (await discoverAdapters(SERVERS_DIR)).filter(({ bareStart }) => bareStart !== undefined);
  // A native one where there is one: a slow renderer's benchmarks take minutes.
  const comparable = able.find(({ runtime }) => runtime === "native") ?? able[0];
  assert.ok(comparable, "an adapter with a bare server");
  const args = ["--only", comparable.id, "--rounds", "1", "--seconds", "1", "--json"];
  const { exitCode, stdout, stderr } = await execa(process.execPath, [COMMAND, ...args], { reject: false });
  const lines = stdout.split("\n").filter((line) => line !== "");
  const results = lines.flatMap((line): SelfResult[] => {
    const event = JSON.parse(line) as SelfEvent;
    return event.type === "result" ? [event.result] : [];
  });
  assert.deepEqual(
    results.map(({ benchmark }) => benchmark),
    selfBenchmarks().map(({ name }) => name),
    stderr,
  );
  for (const { benchmark, outcome } of results) {
    if (benchmark === "wrk" && findProgram("wrk") === null) {
      assert.equal(outcome.status, "skipped");
      continue;
    }
    assert.ok(outcome.status === "measured", `${benchmark}: ${JSON.stringify(outcome)}`);
    assert.ok(outcome.findings.figures.length > 0, benchmark);
    for (const { name, value } of outcome.findings.figures) {
      assert.ok(Number.isFinite(value), `${benchmark}, ${name}: ${value}`);
    }
  }
  assert.equal(exitCode, 0);
});
