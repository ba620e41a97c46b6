/** A provenance that passes its schema, for tests. */
import type { RunProvenance } from "../../report/schema.ts";

export const PROVENANCE: RunProvenance = {
  command: ["cli.mjs"],
  startedAt: "2026-01-01T00:00:00.000Z",
  endedAt: "2026-01-01T00:00:00.000Z",
  sourceDigest: "0".repeat(64),
  gitRevision: "f".repeat(40),
  dirty: false,
  dependencyMode: "registry",
  links: [],
  runnerNode: "26.10.0",
  adapters: ["a", "b"].map((adapter) => ({
    adapter,
    displayName: adapter.toUpperCase(),
    runtime: "node" as const,
    runtimeVersion: null,
    frameworkVersion: "1.0.0",
    artifacts: [],
  })),
  machine: {
    cpuModel: "a CPU",
    logicalCpus: 2,
    allowedCpus: [0, 1],
    coresPerSocket: 2,
    threadsPerCore: 1,
    sockets: 1,
    memoryBytes: 1,
    kernel: "Linux",
    os: "an OS",
    governor: null,
    boost: null,
  },
  loadAverage: [0, 0, 0],
  nullReasons: {},
};
