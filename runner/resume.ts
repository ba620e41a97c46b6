/** Whether a run may go on from a journal: the same plan, the same source, the same machine, or not at all. */
import { isDeepStrictEqual } from "node:util";
import { BenchError } from "../harness/errors.ts";
import type { Provenance, RunPlan } from "../report/schema.ts";
import type { JournalHead } from "./journal.ts";

/** What differs between a journal and the run that would go on from it, a line each; empty where nothing does. */
export function differences(
  head: JournalHead,
  contractVersion: number,
  plan: RunPlan,
  provenance: Provenance,
): string[] {
  const pairs: [string, unknown, unknown][] = [
    ["contract version", head.contractVersion, contractVersion],
    ...(Object.keys(plan) as (keyof RunPlan)[]).map((field): [string, unknown, unknown] => [
      `plan.${field}`,
      head.plan[field],
      plan[field],
    ]),
    ["source digest", head.provenance.sourceDigest, provenance.sourceDigest],
    ["git revision", head.provenance.gitRevision, provenance.gitRevision],
    ["dependency mode", head.provenance.dependencyMode, provenance.dependencyMode],
    ["machine", head.provenance.machine, provenance.machine],
    ["artifacts", head.provenance.adapters.map(artifactsOf), provenance.adapters.map(artifactsOf)],
  ];
  return pairs
    .filter(([, then, now]) => !isDeepStrictEqual(then, now))
    .map(([name, then, now]) => `${name}: ${JSON.stringify(then)} then, ${JSON.stringify(now)} now`);
}

function artifactsOf({ adapter, frameworkVersion, artifacts }: Provenance["adapters"][number]) {
  return { adapter, frameworkVersion, artifacts };
}

/** @throws BenchError `resume-refused`, listing every difference */
export function assertResumable(...args: Parameters<typeof differences>): void {
  const found = differences(...args);
  if (found.length === 0) return;
  throw new BenchError({
    stage: "plan",
    code: "resume-refused",
    message: `the run can't be gone on with, since it would mix what differs:\n${found.join("\n")}`,
    hint: "Restore what it was begun with, or begin a new run; the journal is left as it is.",
  });
}
