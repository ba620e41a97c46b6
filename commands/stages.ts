/** Runs named stages one after another and shows them: a live list in a terminal, one line a stage elsewhere. */
import { ExecaError, execa } from "execa";
import { Listr } from "listr2";

const KILL_DELAY_MS = 10_000;

/** How a stage ended. Its output is shown where something failed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

export interface StageContext {
  readonly signal: AbortSignal;
  /** A line of the stage's own output, for a live display. */
  readonly onLine: (line: string) => void;
}

export interface Stage {
  readonly name: string;
  /** Names of stages without whose success this one makes no sense. */
  readonly needs?: readonly string[];
  /** What it throws counts as one failure. */
  readonly run: (context: StageContext) => Promise<Outcome>;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

interface Finished {
  readonly stage: Stage;
  /** Null for a stage that wasn't run, because one that it needs failed. */
  readonly outcome: Outcome | null;
  readonly durationMs: number;
}

/** Where the stages are shown, such as `process.stdout`. */
export type Output = Pick<NodeJS.WriteStream, "isTTY" | "write">;

/**
 * Runs all stages in order, but for those that need a failed one.
 * @throws the signal's reason, once it is aborted
 */
export async function runStages(
  stages: readonly Stage[],
  signal: AbortSignal,
  output: Output = process.stdout,
): Promise<Totals> {
  const run = output.isTTY ? runInTerminal : runPlainly;
  const finished = await run(stages, signal, output);
  const outcomes = finished.map(({ outcome }) => outcome).filter((outcome) => outcome !== null);
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  };
}

async function runPlainly(
  stages: readonly Stage[],
  signal: AbortSignal,
  output: Output,
): Promise<Finished[]> {
  const finished: Finished[] = [];
  for (const stage of stages) {
    output.write(`${stage.name} … `);
    const end = await runStage(stage, finished, { signal, onLine: () => undefined });
    finished.push(end);
    output.write(`${verdict(end)}\n${failureOutput(end)}`);
  }
  return finished;
}

async function runInTerminal(
  stages: readonly Stage[],
  signal: AbortSignal,
  output: Output,
): Promise<Finished[]> {
  const finished: Finished[] = [];
  const list = new Listr(
    stages.map((stage) => ({
      title: stage.name,
      task: async (_context: unknown, task: { title: string; output: string }) => {
        const onLine = (line: string): void => {
          task.output = line;
        };
        const end = await runStage(stage, finished, { signal, onLine });
        finished.push(end);
        task.title = `${stage.name}: ${verdict(end)}`;
        if (end.outcome?.failed !== 0) throw new Error(verdict(end));
      },
    })),
    {
      concurrent: false,
      exitOnError: false,
      registerSignalListeners: false,
      rendererOptions: { collapseErrors: true, showErrorMessage: false },
    },
  );
  await list.run();
  signal.throwIfAborted();
  output.write(finished.map(failureOutput).join(""));
  return finished;
}

async function runStage(
  stage: Stage,
  earlier: readonly Finished[],
  context: StageContext,
): Promise<Finished> {
  context.signal.throwIfAborted();
  const startedAtMs = performance.now();
  const failed = earlier.filter(({ outcome }) => outcome?.failed !== 0).map((end) => end.stage.name);
  const outcome = stage.needs?.some((name) => failed.includes(name)) ? null : await outcomeOf(stage, context);
  return { stage, outcome, durationMs: performance.now() - startedAtMs };
}

async function outcomeOf(stage: Stage, context: StageContext): Promise<Outcome> {
  try {
    return await stage.run(context);
  } catch (error) {
    context.signal.throwIfAborted();
    return { passed: 0, failed: 1, output: describeFailure(error) };
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("hint" in error && typeof error.hint === "string") return `${error.message}\n  ${error.hint}`;
  return error.stack ?? error.message;
}

function verdict({ stage, outcome, durationMs }: Finished): string {
  if (outcome === null) return `not run, because it needs: ${stage.needs?.join(", ")}`;
  const failed = outcome.failed === 0 ? "" : `, ${outcome.failed} FAILED`;
  return `${outcome.passed} passed${failed} (${(durationMs / 1000).toFixed(1)} s)`;
}

function failureOutput({ stage, outcome }: Finished): string {
  if (outcome === null || outcome.failed === 0) return "";
  return `---- ${stage.name} ----\n${outcome.output.trimEnd()}\n----\n`;
}

export interface Ran {
  readonly exitCode: number;
  /** stdout and stderr as they came. */
  readonly output: string;
}

/**
 * Runs a program to its end, without a shell; an exit code other than 0 is no error, a signal counts as 1.
 * @throws the signal's reason, once it is aborted
 */
export async function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  { signal, onLine }: StageContext,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
  const lines: string[] = [];
  try {
    const subprocess = execa(file, args, {
      ...options,
      stdin: "ignore",
      all: true,
      buffer: false,
      cancelSignal: signal,
      killDescendants: true,
      forceKillAfterDelay: KILL_DELAY_MS,
    });
    for await (const line of subprocess.iterable({ from: "all" })) {
      lines.push(line);
      onLine(line);
    }
    await subprocess;
    return { exitCode: 0, output: lines.join("\n") };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExecaError)) throw error;
    if (lines.length === 0) lines.push(error.message);
    return { exitCode: error.exitCode ?? 1, output: lines.join("\n") };
  }
}
