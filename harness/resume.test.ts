import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError } from "./errors.ts";
import { assertResumable, changedFacts, runFacts } from "./resume.ts";
import { PROVENANCE } from "./test/provenance.ts";

const PLAN = { rounds: 1, cpus: { server: 0, others: [1] } };
const RUN = { contractVersion: 1, plan: PLAN, provenance: PROVENANCE };
const { machine } = PROVENANCE;

test("a run goes on only with the same plan, source and machine", () => {
  const later = { ...PROVENANCE, startedAt: "2026-01-02T00:00:00.000Z" };
  assert.deepEqual(changedFacts(runFacts(RUN), runFacts({ ...RUN, provenance: later })), []);
  const spoiled: [RegExp, typeof RUN][] = [
    [/contract version/, { ...RUN, contractVersion: 2 }],
    [/plan\.rounds: 1 then, 2 now/, { ...RUN, plan: { ...PLAN, rounds: 2 } }],
    [/plan\.cpus/, { ...RUN, plan: { ...PLAN, cpus: { server: 1, others: [0] } } }],
    [/source digest/, { ...RUN, provenance: { ...PROVENANCE, sourceDigest: "1".repeat(64) } }],
    [/git revision/, { ...RUN, provenance: { ...PROVENANCE, gitRevision: null } }],
    [/machine/, { ...RUN, provenance: { ...PROVENANCE, machine: { ...machine, kernel: "other" } } }],
    [/artifacts/, { ...RUN, provenance: { ...PROVENANCE, adapters: [] } }],
  ];
  for (const [said, now] of spoiled) {
    assert.throws(
      () => assertResumable(runFacts(RUN), runFacts(now)),
      (error) => error instanceof BenchError && error.code === "resume-refused" && said.test(error.message),
      String(said),
    );
  }
});

test("a field of the plan that only one of the two has is a difference", () => {
  const before = runFacts({ ...RUN, plan: { ...PLAN, headed: true } });
  assert.deepEqual(changedFacts(before, runFacts(RUN)), ["plan.headed: true then, nothing now"]);
});
