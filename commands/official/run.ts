/** Runs the steps of an official run one after another, each in a process of its own. */
import { ExecaError, execa } from "execa";
import { PROJECT_ROOT } from "../../harness/project.ts";
import { assertNever } from "../../report/assert-never.ts";
import { hear, type OnOfficialEvent, type StepOutcome } from "./events.ts";
import type { SoFar } from "./progress-so-far.ts";
import { commandOf, type MeasuringStep, type Step } from "./steps.ts";

/** A run that is told to end stops its server, which may take five seconds, and writes its report. */
const KILL_DELAY_MS = 30_000;

export interface EndedStep {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly durationMs: number;
}

/** A step's process: its lines of stdout as they come. @returns its exit code, and what it said on stderr */
export type RunStep = (
  args: readonly string[],
  onLine: (line: string) => void,
  signal: AbortSignal,
) => Promise<{ readonly exitCode: number; readonly said: string }>;

export interface OfficialRun {
  readonly steps: readonly Step[];
  /** What an earlier run has left of a measuring step; `nothing` where it isn't to be gone on with. */
  readonly soFar: (step: MeasuringStep) => SoFar;
  readonly runStep: RunStep;
  readonly onEvent: OnOfficialEvent;
  readonly signal: AbortSignal;
}

/**
 * All steps. One that fails doesn't keep the others from showing what else is wrong, unless it is the build: the
 * summaries then say what blocks them.
 * @throws the signal's reason, once it is aborted
 */
export async function runOfficial(run: OfficialRun): Promise<EndedStep[]> {
  const ended: EndedStep[] = [];
  for (const [index, step] of run.steps.entries()) {
    const laterMs = run.steps.slice(index + 1).reduce((sum, { guessMs }) => sum + guessMs, 0);
    const end = await runOne(run, step, laterMs);
    ended.push(end);
    if (step.kind === "build" && end.outcome === "failed") break;
  }
  return ended;
}

async function runOne(
  { soFar, runStep, onEvent, signal }: OfficialRun,
  step: Step,
  laterMs: number,
): Promise<EndedStep> {
  signal.throwIfAborted();
  const startedAtMs = performance.now();
  onEvent({ type: "step", step, leftMs: step.guessMs + laterMs });
  const args = step.kind === "measure" ? measuringArgs(step, soFar(step)) : step.command;
  const { exitCode, said } =
    args === null
      ? { exitCode: null, said: "" }
      : await runStep(args, (line) => tell(line, step, laterMs, onEvent), signal);
  signal.throwIfAborted();
  const outcome = exitCode === null ? "was-done" : exitCode === 0 ? "done" : "failed";
  const durationMs = performance.now() - startedAtMs;
  onEvent({ type: "ended", step, outcome, durationMs, said });
  return { step, outcome, durationMs };
}

/** Null where nothing is left to do. */
function measuringArgs(step: MeasuringStep, left: SoFar): readonly string[] | null {
  switch (left) {
    case "done":
      return null;
    case "begun":
      return [...step.command, "--resume", step.report, "--json"];
    case "nothing":
      return [...commandOf(step), "--json"];
    default:
      return assertNever(left);
  }
}

function tell(line: string, step: Step, laterMs: number, onEvent: OnOfficialEvent): void {
  if (step.kind !== "measure") {
    onEvent({ type: "note", step, text: line, leftMs: step.guessMs + laterMs });
    return;
  }
  const { text, leftMs } = hear(line, step);
  if (leftMs === null) return;
  const all = leftMs + laterMs;
  onEvent(text === null ? { type: "time", step, leftMs: all } : { type: "note", step, text, leftMs: all });
}

/** Runs a script on this Node. It ends by itself where this process is killed: the channel between them tells it. */
export const runScript: RunStep = async (args, onLine, signal) => {
  const said: string[] = [];
  try {
    const child = execa(process.execPath, args, {
      cwd: PROJECT_ROOT,
      stdin: "ignore",
      ipc: true,
      buffer: false,
      cancelSignal: signal,
      forceKillAfterDelay: KILL_DELAY_MS,
    });
    await Promise.all([
      forEachLine(child.iterable({ from: "stdout" }), onLine),
      forEachLine(child.iterable({ from: "stderr" }), (line) => said.push(line)),
      child,
    ]);
    return { exitCode: 0, said: said.join("\n") };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExecaError)) throw error;
    return { exitCode: error.exitCode ?? 1, said: said.join("\n") || error.message };
  }
};

async function forEachLine(lines: AsyncIterable<string>, onLine: (line: string) => void): Promise<void> {
  for await (const line of lines) onLine(line);
}
