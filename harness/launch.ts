/**
 * Starts a server pinned to its CPU, knows its process tree, and ends it whatever happens. Every process of a run
 * carries the run's mark in its environment, so that one that was left behind, or got a new parent, is still found.
 */
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import type { ResponseMode } from "../report/schema.ts";
import { assertPinned, missingTaskset } from "./cpus.ts";
import { BenchError } from "./errors.ts";
import { findListener, freePort } from "./listening.ts";
import type { AdapterManifest } from "./manifest.ts";
import { processesWithEnv, processTree } from "./proc.ts";
import { commandPath, resolveStart } from "./tools.ts";

const HOST = "127.0.0.1";
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const POLL_MS = 5;
const LAST_LINES = 20;
const MARK_NAME = "SSR_BENCH_RUN";

/** The mark of one run: an entry of the environment that all its processes inherit. */
export interface RunMark {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the watchdog; what still carries the mark ends with it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes a run's mark and starts the watchdog that ends its processes should this one be killed. */
export function markRun(): RunMark {
  const value = randomUUID();
  const entry = `${MARK_NAME}=${value}`;
  const watchdog = execa(process.execPath, [`${import.meta.dirname}/watchdog.ts`, entry], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
    // It has to outlive this process.
    cleanup: false,
    reject: false,
  });
  return {
    entry,
    env: { [MARK_NAME]: value },
    async [Symbol.asyncDispose]() {
      watchdog.stdin?.end();
      await watchdog;
    },
  };
}

/** How a server process ended. */
export interface ServerExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** How a stop went: `killed` where SIGTERM wasn't enough; else how many processes it left behind, ended by us. */
export interface StopOutcome {
  readonly killed: boolean;
  readonly leftBehind: number;
  readonly exit: ServerExit;
}

/** One running server. */
export interface ServerHandle {
  readonly target: { readonly host: typeof HOST; readonly port: number };
  readonly rootPid: number;
  /** From the launch to the first whole answer with status 200. */
  readonly startMs: number;
  /** Aborts with a BenchError `server-exit` when the server ends before it was told to. */
  readonly gone: AbortSignal;
  /** The whole process tree, read afresh: what is pinned, sampled and stopped. */
  pids(): number[];
  /** SIGTERM, then SIGKILL after 5 s; nothing of it is left behind. A second call returns the first one's outcome. */
  stop(): Promise<StopOutcome>;
}

export interface LaunchOptions {
  readonly manifest: AdapterManifest;
  readonly mode: ResponseMode;
  /** Null: not pinned (a server run by hand). */
  readonly cpu: number | null;
  readonly mark: RunMark;
  readonly signal: AbortSignal;
  /** A port asked for by name; else a free one is taken. */
  readonly port?: number;
}

/**
 * Starts an adapter's server and waits for its first right answer.
 * @throws BenchError `port-taken`, `server-exit`, `start-timeout`, `affinity`, `missing-tool`
 */
export async function launchServer(options: LaunchOptions): Promise<ServerHandle> {
  options.signal.throwIfAborted();
  const port = options.port ?? (await freePort());
  refuseStranger(port, []);
  const startedAt = performance.now();
  const server = spawnServer(options, port);
  try {
    await answersFirst(server, port, options.signal);
    if (options.cpu !== null) assertPinned(server.pids(), [options.cpu], "start");
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, target: { host: HOST, port }, startMs: performance.now() - startedAt };
}

type Spawned = Omit<ServerHandle, "target" | "startMs">;

function spawnServer({ manifest, mode, cpu, mark }: LaunchOptions, port: number): Spawned {
  const command = resolveStart(manifest, { host: HOST, port });
  const argv = [command.file, ...command.args];
  const [file, ...args] = cpu === null ? argv : ["taskset", "-c", String(cpu), ...argv];
  const child = execa(file as string, args, {
    cwd: manifest.folder,
    env: { ...serverEnv(manifest, mode, port), ...command.env, ...mark.env },
    extendEnv: false,
    stdin: "ignore",
    buffer: false,
    all: true,
    // Its own session: a terminal's Ctrl-C is the runner's to handle, or the server would die in the middle of a reading.
    detached: true,
    reject: false,
  });
  if (child.pid === undefined) throw missingTaskset();
  const exited = child.then(({ exitCode = null, signal = null }) => ({ exitCode, signal }));
  return superviseServer(manifest.id, { rootPid: child.pid, output: child.all, exited }, mark);
}

/** What of the process the supervisor needs. */
interface Running {
  readonly rootPid: number;
  readonly output: Readable;
  readonly exited: Promise<ServerExit>;
}

function superviseServer(id: string, { rootPid, output, exited: ended }: Running, mark: RunMark): Spawned {
  const lines = keepLastLines(output);
  const gone = new AbortController();
  let stopping: Promise<StopOutcome> | null = null;
  const exited = ended.then((exit) => {
    if (stopping === null) gone.abort(serverExit(id, exit, lines()));
    return exit;
  });
  const pids = (): number[] => processTree(rootPid);
  const stop = (): Promise<StopOutcome> => {
    stopping ??= stopServer(rootPid, exited, mark);
    return stopping;
  };
  return { rootPid, gone: gone.signal, pids, stop };
}

/** What every server gets, and nothing of the person's own environment that could change how it runs. */
function serverEnv(manifest: AdapterManifest, mode: ResponseMode, port: number): Record<string, string> {
  return {
    PATH: commandPath(manifest.folder),
    HOME: process.env.HOME ?? "/",
    LANG: "C.UTF-8",
    TZ: "UTC",
    NODE_ENV: "production",
    RESPONSE_MODE: mode,
    HOST,
    PORT: String(port),
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
  };
}

function keepLastLines(output: Readable): () => string[] {
  let lines: string[] = [];
  output.setEncoding("utf8").on("data", (text: string) => {
    lines = `${lines.join("\n")}${text}`.split("\n").slice(-LAST_LINES);
  });
  return () => lines.filter((line) => line.trim() !== "");
}

function serverExit(id: string, exit: ServerExit, lines: readonly string[]): BenchError {
  const how = exit.signal === null ? `exit code ${exit.exitCode}` : `signal ${exit.signal}`;
  const said = lines.length === 0 ? "it printed nothing" : `it last printed:\n${lines.join("\n")}`;
  return new BenchError({
    stage: "start",
    code: "server-exit",
    message: `the server of ${id} ended by itself with ${how}; ${said}`,
    hint: `Run it by hand: npm run serve -- ${id}`,
  });
}

function refuseStranger(port: number, pids: readonly number[]): void {
  const listener = findListener(port, pids);
  if (listener.status !== "foreign") return;
  throw new BenchError({
    stage: "start",
    code: "port-taken",
    message: `port ${port} is held by process ${listener.pid ?? "(not visible)"}: ${listener.command}`,
    hint: "End that process yourself, or choose another port.",
  });
}

async function answersFirst(server: Spawned, port: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  const either = AbortSignal.any([signal, server.gone]);
  while (performance.now() < deadline) {
    either.throwIfAborted();
    refuseStranger(port, server.pids());
    if (findListener(port, server.pids()).status === "owned" && (await getStatus(port, either)) === 200)
      return;
    await delay(POLL_MS, undefined, { signal: either }).catch(() => undefined);
  }
  throw new BenchError({
    stage: "start",
    code: "start-timeout",
    message: `no answer with status 200 on port ${port} within ${START_LIMIT_MS / 1000} s`,
    hint: "Run the server by hand with `npm run serve -- ID` and look at what it prints.",
  });
}

/** The status of one whole answer to `GET /`; null where there was none. */
function getStatus(port: number, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = request(
      { host: HOST, port, path: "/", agent: false, signal, timeout: STOP_LIMIT_MS },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? null));
        response.once("error", () => resolve(null));
        response.once("close", () => resolve(null));
      },
    );
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => resolve(null));
    sent.end();
  });
}

async function stopServer(rootPid: number, exited: Promise<ServerExit>, mark: RunMark): Promise<StopOutcome> {
  sendSignal(rootPid, "SIGTERM");
  const limit = new AbortController();
  try {
    const ended = await Promise.race([
      exited.then(() => true),
      delay(STOP_LIMIT_MS, false, { signal: limit.signal }),
    ]);
    const left = endMarked(mark);
    return { killed: !ended, leftBehind: ended ? left : 0, exit: await exited };
  } finally {
    limit.abort();
  }
}

/** SIGKILL for every process that still carries the mark, until none does. @returns how many there were */
function endMarked(mark: RunMark): number {
  const seen = new Set<number>();
  for (let left = marked(mark); left.length > 0; left = marked(mark).filter((pid) => !seen.has(pid))) {
    for (const pid of left) {
      seen.add(pid);
      sendSignal(pid, "SIGKILL");
    }
  }
  return seen.size;
}

function marked(mark: RunMark): number[] {
  return processesWithEnv(mark.entry).filter((pid) => pid !== process.pid);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
