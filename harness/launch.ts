/**
 * Starts a server pinned to its CPU, knows its processes, and ends them whatever happens. Each carries the run's mark
 * (`marked.ts`), so that one that was left behind, or got a new parent, is still found.
 */
import { request } from "node:http";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import type { ResponseMode } from "../report/schema.ts";
import { assertPinned } from "./cpus.ts";
import { BenchError } from "./errors.ts";
import { Family } from "./family.ts";
import { findListener, freePort } from "./listening.ts";
import type { AdapterManifest } from "./manifest.ts";
import { missingPrlimit, type RunMark } from "./mark.ts";
import { endAll, markedProcesses, sendSignal } from "./marked.ts";
import { commandPath, resolveStart } from "./tools.ts";

const HOST = "127.0.0.1";
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const POLL_MS = 5;
const CLOSING_LIMIT_MS = 200;
const LAST_LINES = 20;

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
  /** Its processes, in its tree and outside it, read afresh: what is verified, pinned, sampled and stopped. */
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
  /** Until when the first whole answer has to have come; a minute unless given. */
  readonly startLimitMs?: number;
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
    await answersFirst(server, port, options);
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
  const family = mark.family();
  const [file, ...limit] = family.argv;
  const pinned = cpu === null ? [] : ["taskset", "-c", String(cpu)];
  const child = execa(file, [...limit, ...pinned, command.file, ...command.args], {
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
  if (child.pid === undefined) throw missingPrlimit();
  const exited = child.then(({ exitCode = null, signal = null }) => ({ exitCode, signal }));
  const running = {
    rootPid: child.pid,
    family: new Family(child.pid, family.limitUs),
    output: child.all,
    exited,
  };
  return superviseServer(manifest.id, running, mark);
}

/** What of the process the supervisor needs. */
interface Running {
  readonly rootPid: number;
  readonly family: Family;
  readonly output: Readable;
  readonly exited: Promise<ServerExit>;
}

function superviseServer(id: string, running: Running, mark: RunMark): Spawned {
  const { rootPid, family, output, exited: ended } = running;
  const lines = keepLastLines(output);
  const gone = new AbortController();
  let stopping: Promise<StopOutcome> | null = null;
  const exited = ended.then((exit) => {
    if (stopping === null) gone.abort(serverExit(id, exit, lines()));
    return exit;
  });
  const stop = (): Promise<StopOutcome> => {
    stopping ??= stopServer(running, exited, mark);
    return stopping;
  };
  return { rootPid, gone: gone.signal, pids: () => family.pids(), stop };
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

/**
 * Holds a server's port to be its own, or nobody's. A process that is dying has given up its files before the kernel
 * closes its sockets, so that a stranger counts as one only when that has passed.
 * @throws BenchError `port-taken`
 */
export async function assertOwnPort(port: number, pids: () => readonly number[]): Promise<void> {
  const limitMs = performance.now() + CLOSING_LIMIT_MS;
  while (findListener(port, pids()).status === "foreign" && performance.now() < limitMs) await delay(POLL_MS);
  refuseStranger(port, pids());
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

async function answersFirst(
  server: Spawned,
  port: number,
  { signal, startLimitMs = START_LIMIT_MS }: LaunchOptions,
): Promise<void> {
  const limit = AbortSignal.timeout(startLimitMs);
  const either = AbortSignal.any([signal, server.gone]);
  let last: Answered | null = null;
  while (!limit.aborted) {
    either.throwIfAborted();
    await assertOwnPort(port, server.pids);
    if (findListener(port, server.pids()).status === "owned") {
      // An answer that only trickles must not outlast the limit.
      const answer = await askFirst(port, AbortSignal.any([either, limit]));
      if (answer.kind === "whole" && answer.status === 200) return;
      // One that the limit cut off says less than one before it.
      if (!limit.aborted || last === null) last = answer;
    }
    await delay(POLL_MS, undefined, { signal: either }).catch(() => undefined);
  }
  throw new BenchError({
    stage: "start",
    code: "start-timeout",
    message: `no whole answer with status 200 on port ${port} within ${startLimitMs / 1000} s; the last: ${describeAnswer(last)}`,
    hint: "Run the server by hand with `npm run serve -- ID` and look at what it prints.",
  });
}

type Answered =
  | { readonly kind: "whole"; readonly status: number }
  | { readonly kind: "none"; readonly why: string };

function describeAnswer(answer: Answered | null): string {
  if (answer === null) return "none, nobody listened";
  return answer.kind === "whole" ? `status ${answer.status}` : answer.why;
}

/** `GET /`, once. */
function askFirst(port: number, signal: AbortSignal): Promise<Answered> {
  return new Promise((resolve) => {
    const fail = ({ message }: Error): void =>
      resolve({ kind: "none", why: signal.aborted ? "hadn't ended" : message });
    const sent = request(
      { host: HOST, port, path: "/", agent: false, signal, timeout: STOP_LIMIT_MS },
      (response) => {
        response.resume();
        response.once("end", () => resolve({ kind: "whole", status: response.statusCode ?? 0 }));
        response.once("error", fail);
        response.once("close", () => fail(new Error("the connection ended within the answer")));
      },
    );
    sent.once("timeout", () => sent.destroy(new Error("silence")));
    sent.once("error", fail);
    sent.end();
  });
}

async function stopServer(
  { rootPid, family }: Running,
  exited: Promise<ServerExit>,
  mark: RunMark,
): Promise<StopOutcome> {
  // Who is there now is known afterwards, whatever it does to its marks in the meantime.
  family.pids();
  sendSignal(rootPid, "SIGTERM");
  const limit = new AbortController();
  try {
    const ended = await Promise.race([
      exited.then(() => true),
      delay(STOP_LIMIT_MS, false, { signal: limit.signal }),
    ]);
    const left = await endAll(() => [...markedProcesses(mark), ...family.pids()]);
    return { killed: !ended, leftBehind: ended ? left : 0, exit: await exited };
  } finally {
    limit.abort();
  }
}
