/** What the suite needs of a machine, and what of it is there. */
import { readFileSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { findChromium, OLDEST_CHROMIUM } from "./chromium.ts";
import { allowedCpus, readCpuTicks, readGovernor, ticksBetween } from "./cpus.ts";
import { BenchError } from "./errors.ts";
import { readLoadAverage } from "./machine.ts";
import { type AdapterManifest, discoverAdapters } from "./manifest.ts";
import { PROJECT_ROOT, SERVERS_DIR } from "./project.ts";
import { findProgram, needsRust, PINNED_RUNTIMES, type PinnedRuntime, runtimeBinary } from "./tools.ts";
import { isAtLeast, versionOf } from "./versions.ts";
import { askXServer } from "./x-server.ts";

const OLDEST_NODE = "20.0.0";
const OLDEST_RUST = "1.95.0";
const NEEDED_DISK_BYTES = 4 * 2 ** 30;
const STEAL_INTERVAL_MS = 1_000;
/** Above these the figures of a run are disturbed more often than not. */
const QUIET_LOAD = 0.5;
const QUIET_STEAL = 0.02;

/** One prerequisite. `note`: nothing is missing, but a run is better off otherwise. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "note" | "missing";
  /** False where only a part of the suite needs it; its hint says which. */
  readonly needed: boolean;
  /** A version, a figure, or what is wrong. */
  readonly found: string;
  /** How to get it; null where all is well. */
  readonly hint: string | null;
}

/** Looks at everything, in the order in which a person would set it up. Takes about a second. */
export async function examine(): Promise<Check[]> {
  const rustUsers = (await readAdapters()).filter(needsRust).map(({ id }) => id);
  const pinned = await pinnedVersions();
  const checks = [
    hostNode(),
    pnpm(pinned.pnpm),
    ...PINNED_RUNTIMES.map((runtime) => pinnedRuntime(runtime, pinned[runtime])),
    git(),
    rust("rustc", rustUsers),
    rust("cargo", rustUsers),
    utilLinux("taskset"),
    utilLinux("prlimit"),
    procReadable(),
    cpus(),
    disk(),
    browser(),
    display(),
    loadAverage(),
    steal(),
    governor(),
  ];
  return await Promise.all(checks);
}

/** A broken manifest is for the commands that use it to report. */
async function readAdapters(): Promise<AdapterManifest[]> {
  return await discoverAdapters(SERVERS_DIR).catch((error: unknown) => {
    if (error instanceof BenchError) return [];
    throw error;
  });
}

async function pinnedVersions(): Promise<Record<string, string>> {
  const text = await readFile(path.join(PROJECT_ROOT, "package.json"), "utf8");
  return z.object({ devDependencies: z.record(z.string(), z.string()) }).parse(JSON.parse(text))
    .devDependencies;
}

const ok = (name: string, found: string, needed = true): Check => ({
  name,
  status: "ok",
  needed,
  found,
  hint: null,
});
const note = (name: string, found: string, hint: string): Check => ({
  name,
  status: "note",
  needed: false,
  found,
  hint,
});
const missing = (name: string, found: string, hint: string, needed = true): Check => ({
  name,
  status: "missing",
  needed,
  found,
  hint,
});

async function hostNode(): Promise<Check> {
  const name = "Node (this machine's)";
  const hint = `Install Node ${OLDEST_NODE.split(".")[0]} or newer, with npm.`;
  const file = findProgram("node", (folder) => !folder.startsWith(path.join(PROJECT_ROOT, "node_modules")));
  const version = file === null ? null : await versionOf(file);
  if (version === null) return note(name, "none on the PATH; the pinned one runs this", hint);
  return isAtLeast(version, OLDEST_NODE) ? ok(name, version) : missing(name, `${version} is too old`, hint);
}

async function pnpm(pinned: string | undefined): Promise<Check> {
  const version = await versionOf(path.join(PROJECT_ROOT, "node_modules", ".bin", "pnpm"));
  return exactly("pnpm (pinned)", version, pinned);
}

async function pinnedRuntime(runtime: PinnedRuntime, pinned: string | undefined): Promise<Check> {
  const name = `${runtime} (pinned)`;
  try {
    return exactly(name, await versionOf(runtimeBinary(runtime)), pinned);
  } catch (error) {
    if (error instanceof BenchError) return missing(name, error.message, error.hint);
    throw error;
  }
}

function exactly(name: string, version: string | null, pinned: string | undefined): Check {
  if (version !== null && version === pinned) return ok(name, version);
  return missing(name, `${version ?? "none"}, not ${pinned}`, "npm run setup -- --force");
}

async function git(): Promise<Check> {
  const file = findProgram("git");
  const version = file === null ? null : await versionOf(file);
  if (version !== null) return ok("git", version);
  return missing("git", "none", "Install git (Debian: apt-get install git).");
}

async function rust(program: "rustc" | "cargo", users: readonly string[]): Promise<Check> {
  const hint = `Install Rust ${OLDEST_RUST.replace(/\.0$/, "")} or newer with rustup: ${users.join(", ")} need it.`;
  if (users.length === 0) return ok(program, "not needed by any adapter", false);
  const file = findProgram(program);
  const version = file === null ? null : await versionOf(file);
  if (version === null) return missing(program, "none", hint);
  return isAtLeast(version, OLDEST_RUST)
    ? ok(program, version)
    : missing(program, `${version} is too old`, hint);
}

async function utilLinux(program: string): Promise<Check> {
  const file = findProgram(program);
  if (file !== null) return ok(program, (await versionOf(file)) ?? file);
  return missing(program, "none", "Install util-linux (Debian: apt-get install util-linux).");
}

function procReadable(): Check {
  try {
    readFileSync("/proc/self/status");
    readFileSync("/proc/stat");
    readFileSync(`/proc/self/task/${process.pid}/children`);
    return ok("/proc", "readable");
  } catch (error) {
    return missing(
      "/proc",
      (error as Error).message,
      "Use a Linux machine, or a container, with /proc mounted.",
    );
  }
}

function cpus(): Check {
  const allowed = allowedCpus();
  const found = `${allowed.length} allowed (${allowed.join(", ")})`;
  if (allowed.length > 1) return ok("CPUs", found);
  return note("CPUs", found, "An official run needs two: one for the server, one for the load.");
}

async function disk(): Promise<Check> {
  const { bavail, bsize } = await statfs(PROJECT_ROOT);
  const found = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free`;
  if (bavail * bsize >= NEEDED_DISK_BYTES) return ok("disk", found);
  return note("disk", found, "A full set-up with all builds takes up to 4 GiB.");
}

const BROWSER_USERS = "Only npm test and the browser run need it.";

async function browser(): Promise<Check> {
  const name = "Chromium";
  const hint = `${BROWSER_USERS} Debian: apt-get install chromium; or set CHROMIUM_PATH.`;
  const found = findChromium();
  const version = found === null ? null : await versionOf(found.file);
  if (found === null || version === null) return missing(name, "none", hint, false);
  return isAtLeast(version, OLDEST_CHROMIUM)
    ? ok(name, `${version} (${found.file})`, false)
    : missing(name, `${version} is too old (${found.file})`, hint, false);
}

async function display(): Promise<Check> {
  const name = "display";
  const named = process.env.DISPLAY;
  if (named && (await askXServer(named)).status === "there") return ok(name, `DISPLAY=${named}`, false);
  const xvfb = findProgram("Xvfb");
  if (xvfb !== null) return ok(name, `none; a virtual one can be started (${xvfb})`, false);
  return missing(
    name,
    "none, and no Xvfb",
    `${BROWSER_USERS} Debian: apt-get install xvfb; or set DISPLAY.`,
    false,
  );
}

function loadAverage(): Check {
  const averages = readLoadAverage();
  const found = averages.map((average) => average.toFixed(2)).join(" ");
  if (averages[0] < QUIET_LOAD) return ok("load average", found, false);
  return note("load average", found, "Something else is running: wait for it to end before an official run.");
}

/** The share of all CPUs' time that the hypervisor gave to others. */
async function steal(): Promise<Check> {
  const allowed = allowedCpus();
  const before = readCpuTicks();
  await delay(STEAL_INTERVAL_MS);
  const ticks = ticksBetween(before, readCpuTicks(), allowed);
  const { user, nice, system, idle, iowait, irq, softirq } = ticks;
  const total = user + nice + system + idle + iowait + irq + softirq + ticks.steal;
  const share = total === 0 ? 0 : ticks.steal / total;
  const found = `${(share * 100).toFixed(1)} % over one second`;
  if (share < QUIET_STEAL) return ok("steal", found, false);
  return note("steal", found, "The host gives this machine's CPUs to others: figures will be disturbed.");
}

function governor(): Check {
  const found = readGovernor();
  if (found === null) return ok("CPU governor", "not readable here", false);
  if (found === "performance") return ok("CPU governor", found, false);
  return note("CPU governor", found, "For steadier figures: cpupower frequency-set -g performance");
}
