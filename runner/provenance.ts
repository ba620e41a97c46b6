/** Where a report comes from: source, machine, runtimes, artifacts. Gathered before the first visit. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { BuiltAdapter } from "../harness/build.ts";
import { readLoadAverage, readMachine } from "../harness/machine.ts";
import { PROJECT_ROOT } from "../harness/project.ts";
import { readSource } from "../harness/source.ts";
import type { Machine, Provenance, Visit } from "../report/schema.ts";

/** Provenance as it is known before the run; `endedAt` is its start until `endProvenance`. */
export async function startProvenance(
  built: readonly BuiltAdapter[],
  command: readonly string[],
  startedAt: Date,
): Promise<Provenance> {
  const source = await readSource(PROJECT_ROOT);
  const machine = readMachine();
  return {
    command: [...command],
    startedAt: startedAt.toISOString(),
    endedAt: startedAt.toISOString(),
    sourceDigest: source.digest,
    gitRevision: source.revision,
    dirty: source.dirty,
    dependencyMode: "registry",
    links: [],
    runnerNode: process.versions.node,
    loadGenerator: `autocannon ${installedVersion("autocannon")}`,
    adapters: built.map(({ manifest, frameworkVersion, artifacts }) => ({
      adapter: manifest.id,
      displayName: manifest.displayName,
      runtime: manifest.runtime,
      runtimeVersion: null,
      frameworkVersion,
      artifacts: [...artifacts],
    })),
    machine,
    loadAverage: readLoadAverage(),
    nullReasons: {
      ...(source.reason === null ? {} : { gitRevision: source.reason }),
      ...machineNulls(machine),
    },
  };
}

/** Why each field of the machine is null that is. */
function machineNulls(machine: Machine): Record<string, string> {
  const reasons = {
    sockets: "/proc/cpuinfo shows no topology",
    coresPerSocket: "/proc/cpuinfo shows no topology",
    threadsPerCore: "/proc/cpuinfo shows no topology",
    governor: "the machine shows no cpufreq governor",
    boost: "the machine shows no boost setting",
  } as const satisfies Partial<Record<keyof Machine, string>>;
  const fields = Object.keys(reasons) as (keyof typeof reasons)[];
  return Object.fromEntries(
    fields.filter((field) => machine[field] === null).map((field) => [`machine.${field}`, reasons[field]]),
  );
}

/** Adds what the run has shown: when it ended, and the runtime versions that the servers themselves reported. */
export function endProvenance(provenance: Provenance, visits: readonly Visit[], endedAt: Date): Provenance {
  const versions = new Map<string, string>();
  for (const visit of visits) {
    if (visit.status === "measured") versions.set(visit.adapter, visit.server.runtimeVersion);
  }
  const silent = provenance.adapters.filter(({ adapter }) => !versions.has(adapter));
  return {
    ...provenance,
    endedAt: endedAt.toISOString(),
    adapters: provenance.adapters.map((entry) => ({
      ...entry,
      runtimeVersion: versions.get(entry.adapter) ?? null,
    })),
    nullReasons: {
      ...provenance.nullReasons,
      ...Object.fromEntries(
        silent.map(({ adapter }) => [`adapters.${adapter}.runtimeVersion`, "no server of it was measured"]),
      ),
    },
  };
}

function installedVersion(name: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(PROJECT_ROOT, "node_modules", name, "package.json"), "utf8"),
  );
  return String((manifest as { version: unknown }).version);
}
