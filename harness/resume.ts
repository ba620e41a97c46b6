/** Whether a run may go on from a journal: the same plan, the same source, the same machine, or not at all. */
import { isDeepStrictEqual } from "node:util";
import type { RunProvenance } from "../report/schema.ts";
import { BenchError } from "./errors.ts";

/** What a run and its journal have to agree in, each by the name that a person reads. */
export type Facts = ReadonlyMap<string, unknown>;

export interface RunIdentity {
  readonly contractVersion: number;
  readonly plan: object;
  readonly provenance: RunProvenance;
}

/** The facts of any run: contract, every field of its plan, source, machine and artifacts. */
export function runFacts({ contractVersion, plan, provenance }: RunIdentity): Facts {
  return new Map<string, unknown>([
    ["contract version", contractVersion],
    ...Object.entries(plan).map(([field, value]): [string, unknown] => [`plan.${field}`, value]),
    ["source digest", provenance.sourceDigest],
    ["git revision", provenance.gitRevision],
    ["dependency mode", provenance.dependencyMode],
    ["links", provenance.links],
    ["machine", provenance.machine],
    [
      "artifacts",
      provenance.adapters.map(({ adapter, frameworkVersion, artifacts }) => ({
        adapter,
        frameworkVersion,
        artifacts,
      })),
    ],
  ]);
}

/** What differs between a journal and the run that would go on from it, a line each; empty where nothing does. */
export function changedFacts(before: Facts, now: Facts): string[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => !isDeepStrictEqual(before.get(name), now.get(name)))
    .map((name) => `${name}: ${show(before.get(name))} then, ${show(now.get(name))} now`);
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** @throws BenchError `resume-refused`, listing every difference */
export function assertResumable(before: Facts, now: Facts): void {
  const found = changedFacts(before, now);
  if (found.length === 0) return;
  throw new BenchError({
    stage: "plan",
    code: "resume-refused",
    message: `the run can't be gone on with, since it would mix what differs:\n${found.join("\n")}`,
    hint: "Restore what it was begun with, or begin a new run; the journal is left as it is.",
  });
}
