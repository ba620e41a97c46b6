/** The real command with its real processes, to be stopped in the middle, and what it must have left behind: nothing. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { readJournal } from "../../harness/journal.ts";
import { processesWithEnv, processTree, readProc, readProcStat } from "../../harness/proc.ts";
import { PROJECT_ROOT } from "../../harness/project.ts";
import { runtimeBinary } from "../../harness/tools.ts";
import { readLoadReport } from "../../report/read.ts";
import type { LoadReport, RunPlan, StageName } from "../../report/schema.ts";
import type { RunEvent } from "../events.ts";
import { LOAD_JOURNAL, type LoadJournal } from "../journal.ts";

const COMMAND = path.join(PROJECT_ROOT, "todo", "runner", "cli.mjs");

/** An adapter that is built in seconds, and windows as short as can be. */
const SHORT: readonly string[] = [
  "--only",
  "preact",
  "--probe-seconds",
  "0.3",
  "--warm-seconds",
  "0.3",
  "--seconds",
  "0.5",
];
/** One visit. */
export const ONE_VISIT = [...SHORT, "--response-mode", "complete"];
/** Two visits. */
export const TWO_VISITS = SHORT;

/** What a command says where another measurement of the machine comes first; the test waits with it. */
const WAITED = /^Another measurement is running.*\n?/m;

/** What still runs of a command that has ended must be gone within this time. */
const GONE_LIMIT_MS = 15_000;

/** What comes of a command. */
export interface Ended {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stderr: string;
}

/** A command that runs, leading a group of its own as in a terminal. */
export interface Command {
  readonly pid: number;
  readonly stdout: Readable;
  readonly ended: Promise<Ended>;
  /** To the command alone. */
  signal(name: NodeJS.Signals): void;
  /** To the command and everything in its group, as a terminal does. */
  signalGroup(name: NodeJS.Signals): void;
  /** Ids of its server's processes that there are at this moment. */
  server(): number[];
  /** Waits for the command's end, and until nothing of it runs any more. @throws AssertionError naming what does */
  gone(): Promise<Ended>;
}

/** A run that tells its events. */
export interface Run extends Command {
  /** The first event that is meant. @throws AssertionError where the command ends without it */
  until<Event extends RunEvent>(isMeant: (event: RunEvent) => event is Event): Promise<Event>;
  /** The `nth` visit is at this stage for the first time. */
  untilStage(stage: StageName, nth?: number): Promise<void>;
  /** Ids of the load workers that there are at this moment. */
  workers(): number[];
}

export interface CommandOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the command, such as `taskset -c 1`. */
  readonly before?: readonly string[];
}

/** A folder for one test's results. @param work gets the file to write the report to */
export async function withResults(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hard-stop-"));
  try {
    await work(path.join(folder, "results", "run.json"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Starts the command. What of its processes inherits the environment is found by a mark of this test's own. */
export function startCommand({ args = [], env = {}, before = [] }: CommandOptions): Command {
  const mark = randomUUID();
  const [program, ...rest] = [...before, runtimeBinary("node"), COMMAND, ...args];
  const subprocess = execa(program as string, rest, {
    cwd: PROJECT_ROOT,
    env: { ...env, [MARK_NAME]: mark },
    stdin: "ignore",
    buffer: { stdout: false },
    detached: true,
    reject: false,
  });
  const { pid } = subprocess;
  assert.ok(pid !== undefined, `${program} can't be started`);
  let serverMark: string | null = null;
  // By the first word that a run says, its servers have their mark.
  subprocess.stdout.on("data", () => {
    serverMark ??=
      processTree(pid)
        .map(markOfServers)
        .find((one) => one !== null) ?? null;
  });
  return {
    pid,
    stdout: subprocess.stdout,
    ended: subprocess.then(({ exitCode, signal, stderr }) => ({
      exitCode,
      signal,
      stderr: stderr.replace(WAITED, ""),
    })),
    signal: (name) => process.kill(pid, name),
    signalGroup: (name) => process.kill(-pid, name),
    server: () => (serverMark === null ? [] : processesWithEnv(serverMark)),
    async gone() {
      const outcome = await this.ended;
      await assertGone([`${MARK_NAME}=${mark}`, ...(serverMark === null ? [] : [serverMark])]);
      return outcome;
    },
  };
}

/** Starts the command with `--json`. @param file where the report goes */
export function startRun(options: CommandOptions, file?: string): Run {
  const output = file === undefined ? [] : ["--output", file];
  const command = startCommand({ ...options, args: ["--json", ...(options.args ?? ONE_VISIT), ...output] });
  const until = collectEvents(command);
  return {
    ...command,
    until,
    async untilStage(stage, nth = 1) {
      let visit = 0;
      await until((event): event is RunEvent => {
        if (event.type === "visit") visit = event.nth;
        return event.type === "stage" && event.stage === stage && visit === nth;
      });
    },
    workers: () => processTree(command.pid).filter((pid) => commandLine(pid).includes("/load/worker.ts")),
  };
}

const MARK_NAME = "HARD_STOP_TEST";

function commandLine(pid: number): string {
  return (readProc(`/proc/${pid}/cmdline`) ?? "").split("\0").join(" ");
}

/** The mark of a run's servers, which stands in its watchdog's command line; null for another process. */
function markOfServers(pid: number): string | null {
  return /\/watchdog\.ts (\S+)/.exec(commandLine(pid))?.[1] ?? null;
}

/** Finds events among those that have come and that come. */
function collectEvents({ stdout, ended }: Command): Run["until"] {
  const seen: RunEvent[] = [];
  const news = new EventEmitter();
  createInterface(stdout).on("line", (line) => {
    seen.push(JSON.parse(line));
    news.emit("event");
  });
  const over = ended.then(({ exitCode, signal, stderr }): never => {
    throw new assert.AssertionError({
      message: `the command ended before that, with ${signal ?? exitCode}: ${stderr}`,
    });
  });
  // Only who waits for an event is told.
  over.catch(() => undefined);
  return async (isMeant) => {
    for (let next = 0; ; next += 1) {
      while (next >= seen.length) await Promise.race([once(news, "event"), over]);
      const event = seen[next] as RunEvent;
      if (isMeant(event)) return event;
    }
  };
}

async function assertGone(marks: readonly string[]): Promise<void> {
  const limitMs = performance.now() + GONE_LIMIT_MS;
  const left = (): number[] => marks.flatMap(processesWithEnv).filter((pid) => readProcStat(pid) !== null);
  while (left().length > 0 && performance.now() < limitMs) await delay(20);
  assert.deepEqual(left().map(commandLine), [], "nothing of the command is left");
}

/** Names of the files beside the report. */
export async function resultFiles(file: string): Promise<string[]> {
  return (await readdir(path.dirname(file))).sort();
}

/** The journal alone stands there, whole. */
export async function onlyJournal(file: string): Promise<LoadJournal> {
  assert.deepEqual(await resultFiles(file), [`${path.basename(file)}.journal.ndjson`]);
  return await readJournal(LOAD_JOURNAL, file);
}

/** The report, held to its schema. */
export async function readWhole(file: string): Promise<LoadReport> {
  const read = readLoadReport(await readFile(file, "utf8"));
  assert.ok(read.ok, JSON.stringify(read));
  return read.report;
}

/** Goes on with a stopped run: to a whole report of the same plan, with every visit measured, and no journal left. */
export async function resumes(file: string, plan: RunPlan): Promise<LoadReport> {
  const { stderr } = await startRun({ args: ["--resume", file] }).gone();
  assert.equal(stderr, "");
  const left = (await resultFiles(file)).filter(
    (name) => name.includes(".journal.") || name.endsWith(".tmp"),
  );
  assert.deepEqual(left, []);
  const report = await readWhole(file);
  assert.deepEqual(report.plan, plan);
  assert.deepEqual(
    report.visits.map(({ status }) => status),
    report.visits.map(() => "measured"),
  );
  return report;
}
