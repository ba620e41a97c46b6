/** The machine, as far as it can be read; what can't is null, with its reason given by the caller. */
import { readFileSync } from "node:fs";
import os from "node:os";
import type { Machine } from "../report/schema.ts";
import { allowedCpus, readBoost, readGovernor } from "./cpus.ts";
import { readProc } from "./proc.ts";

export interface Topology {
  readonly coresPerSocket: number | null;
  readonly threadsPerCore: number | null;
  readonly sockets: number | null;
}

/** Sockets, cores and threads from the `physical id` and `core id` lines of `/proc/cpuinfo`; null where it has none. */
export function parseTopology(cpuinfo: string): Topology {
  const values = (name: string): string[] =>
    [...cpuinfo.matchAll(new RegExp(`^${name}\\s*: (\\d+)$`, "gm"))].map((match) => match[1] as string);
  const packages = values("physical id");
  const cores = values("core id");
  if (packages.length === 0 || packages.length !== cores.length)
    return { coresPerSocket: null, threadsPerCore: null, sockets: null };
  const sockets = new Set(packages).size;
  const distinctCores = new Set(cores.map((core, index) => `${packages[index]}/${core}`)).size;
  return {
    sockets,
    coresPerSocket: distinctCores / sockets,
    threadsPerCore: packages.length / distinctCores,
  };
}

/** `PRETTY_NAME` of os-release(5). */
export function parseOsName(text: string): string | null {
  return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(text)?.[1] ?? null;
}

export function readMachine(): Machine {
  const cpuinfo = readFileSync("/proc/cpuinfo", "utf8");
  return {
    cpuModel: os.cpus()[0]?.model ?? "unknown",
    logicalCpus: os.cpus().length,
    allowedCpus: allowedCpus(),
    ...parseTopology(cpuinfo),
    memoryBytes: os.totalmem(),
    kernel: `${os.type()} ${os.release()}`,
    os: parseOsName(readProc("/etc/os-release") ?? "") ?? os.type(),
    governor: readGovernor(),
    boost: readBoost(),
  };
}

export function readLoadAverage(): [number, number, number] {
  const [one = 0, five = 0, fifteen = 0] = os.loadavg();
  return [one, five, fifteen];
}
