/** What the load run adds to a run's provenance: its load generator, and the versions that its visits have shown. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { BuiltAdapter } from "../harness/build.ts";
import { PROJECT_ROOT } from "../harness/project.ts";
import { endProvenance, startProvenance } from "../harness/provenance.ts";
import type { Provenance, Visit } from "../report/schema.ts";

/** Provenance as it is known before the run; `endedAt` is its start until `endLoadProvenance`. */
export async function startLoadProvenance(
  built: readonly BuiltAdapter[],
  command: readonly string[],
  startedAt: Date,
): Promise<Provenance> {
  return {
    ...(await startProvenance(built, command, startedAt)),
    loadGenerator: `autocannon ${installedVersion("autocannon")}`,
  };
}

/** Adds what the run has shown: when it ended, and the runtime versions that the servers themselves reported. */
export function endLoadProvenance(
  provenance: Provenance,
  visits: readonly Visit[],
  endedAt: Date,
): Provenance {
  const measured = visits.filter((visit) => visit.status === "measured");
  const versions = new Map(measured.map(({ adapter, server }) => [adapter, server.runtimeVersion]));
  return endProvenance(provenance, versions, endedAt);
}

function installedVersion(name: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(PROJECT_ROOT, "node_modules", name, "package.json"), "utf8"),
  );
  return String((manifest as { version: unknown }).version);
}
