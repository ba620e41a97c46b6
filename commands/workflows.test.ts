/** What the workflows may do, and that what they run is there. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { PROJECT_ROOT } from "../harness/project.ts";

const FOLDER = path.join(PROJECT_ROOT, ".github", "workflows");

const workflowSchema = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.enum(["read", "write", "none"])),
  jobs: z.record(
    z.string(),
    z.looseObject({
      "timeout-minutes": z.int().positive(),
      steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")));

for (const name of readdirSync(FOLDER)) {
  describe(name, () => {
    const text = readFileSync(path.join(FOLDER, name), "utf8");
    const workflow = workflowSchema.parse(parse(text));
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

    test("pins every action by its commit, with the version beside it", () => {
      const pinned = [...text.matchAll(/uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)];
      assert.equal(pinned.length, steps.filter(({ uses }) => uses !== undefined).length);
    });

    test("never gives a fork's code a token that writes", () => {
      assert.ok(!("pull_request_target" in workflow.on));
      const writes = Object.values(workflow.permissions).includes("write");
      const runsCode = steps.some(
        ({ uses = "", run }) => run !== undefined || uses.startsWith("actions/checkout@"),
      );
      assert.ok(!(writes && runsCode));
      assert.ok(!writes || Object.keys(workflow.on).join() === "workflow_run");
    });

    test("puts nothing of an event into a shell", () => {
      for (const { run } of steps) assert.doesNotMatch(run ?? "", /\$\{\{/);
    });

    test("runs scripts that are there", () => {
      const named = [...text.matchAll(/npm (?:run )?(test|(?<=run )[a-z:-]+)/g)].map(
        ([, script = ""]) => script,
      );
      for (const script of named) assert.ok(script in scripts, script);
    });
  });
}
