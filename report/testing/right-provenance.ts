/** The provenance of reports that are right, for tests. Nothing in it was read from a machine. */
import type { Link, RunProvenance } from "../schema.ts";

const MIB = 2 ** 20;

/** Of a simulated machine. @param startMs since the epoch */
export function makeRunProvenance(
  command: readonly string[],
  adapters: readonly string[],
  startMs: number,
): RunProvenance {
  const digest = (digit: string) => digit.repeat(64);
  return {
    command: [...command],
    startedAt: new Date(startMs).toISOString(),
    endedAt: new Date(startMs).toISOString(),
    sourceDigest: digest("a"),
    gitRevision: "0123456789abcdef0123456789abcdef01234567",
    dirty: false,
    dependencyMode: "registry",
    links: [],
    runnerNode: "26.10.0",
    adapters: adapters.map((adapter) => ({
      adapter,
      displayName: adapter,
      runtime: "node",
      runtimeVersion: "26.10.0",
      frameworkVersion: "1.2.3",
      artifacts: [{ path: "dist/server.js", sha256: digest("b"), bytes: 123_456 }],
    })),
    machine: {
      cpuModel: "Simulated CPU",
      logicalCpus: 2,
      allowedCpus: [0, 1],
      coresPerSocket: 2,
      threadsPerCore: 1,
      sockets: 1,
      memoryBytes: 8 * 1024 * MIB,
      kernel: "Linux 6.1.0",
      os: "Simulated Linux",
      governor: null,
      boost: null,
    },
    loadAverage: [0.1, 0.2, 0.3],
    nullReasons: {
      "machine.governor": "the machine shows no cpufreq governor",
      "machine.boost": "the machine shows no boost setting",
    },
  };
}

/** A checkout that was linked, of one package. */
export function makeLink(name: string): Link {
  const file = { path: "packages/a/dist/index.js", sha256: "c".repeat(64), bytes: 1234 };
  return {
    name,
    revision: "89abcdef0123456789abcdef0123456789abcdef",
    dirty: false,
    packages: [{ name: "a", version: "1.2.3", files: [file] }],
  };
}
