/** Where a report comes from: source, machine, runtimes, artifacts. Gathered before the first visit. */
import type { Machine, RunProvenance } from "../report/schema.ts";
import type { BuiltAdapter } from "./build.ts";
import { asLink, type LinkRecord } from "./links.ts";
import { readLoadAverage, readMachine } from "./machine.ts";
import { PROJECT_ROOT } from "./project.ts";
import { readSource } from "./source.ts";

/** Provenance as it is known before the run; `endedAt` is its start until `endProvenance`. */
export async function startProvenance(
  built: readonly BuiltAdapter[],
  command: readonly string[],
  startedAt: Date,
): Promise<RunProvenance> {
  const source = await readSource(PROJECT_ROOT);
  const machine = readMachine();
  const links = distinctLinks(built);
  return {
    command: [...command],
    startedAt: startedAt.toISOString(),
    endedAt: startedAt.toISOString(),
    sourceDigest: source.digest,
    gitRevision: source.revision,
    dirty: source.dirty,
    dependencyMode: links.length === 0 ? "registry" : "local-source",
    links: links.map(asLink),
    runnerNode: process.versions.node,
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
      ...Object.fromEntries(
        links.flatMap(({ name, reason }) => (reason === null ? [] : [[`links.${name}.revision`, reason]])),
      ),
    },
  };
}

/** What any of the adapters is linked to, once each. */
function distinctLinks(built: readonly BuiltAdapter[]): LinkRecord[] {
  return [...new Map(built.flatMap(({ links }) => links).map((link) => [link.name, link])).values()];
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

/**
 * Adds what the run has shown: when it ended, and the runtime versions that the servers themselves reported.
 * @param versions by adapter, of those whose server was measured
 */
export function endProvenance<P extends RunProvenance>(
  provenance: P,
  versions: ReadonlyMap<string, string>,
  endedAt: Date,
): P {
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
