/** The steps of an official run, each a command that a person could type as well. Pure. */
import type { AnyReport } from "../../report/any-report.ts";
import { LEAST_OFFICIAL_ROUNDS } from "../../report/browser/official.ts";

/** What the runner and the browser run take for a visit, before the first has shown it: docs/figures.md. */
const LOAD_VISIT_GUESS_MS = 42_000;
const BROWSER_VISIT_GUESS_MS = 8_000;
const BUILD_GUESS_MS = 60_000;
const WRITING_GUESS_MS = 2_000;

/** A step that measures: it writes a report, and tells what it does in events. */
export interface MeasuringStep {
  readonly kind: "measure";
  readonly name: string;
  /** Arguments of Node, from the project's root: the script first; without what names the report. */
  readonly command: readonly string[];
  /** The flag that names the report, in a run that begins. */
  readonly naming: readonly string[];
  /** The report that it writes, relative to the project's root. */
  readonly report: string;
  readonly reportKind: AnyReport["kind"];
  /** Passes over all cells, or products. */
  readonly rounds: number;
  /** How long all of it may take, ms. */
  readonly guessMs: number;
}

/** A step that works from files. */
export interface PlainStep {
  readonly kind: "build" | "publish";
  readonly name: string;
  readonly command: readonly string[];
  readonly guessMs: number;
}

export type Step = MeasuringStep | PlainStep;

export interface OfficialOptions {
  /** How many adapters there are. */
  readonly adapters: number;
  /** Rounds of the two load runs. */
  readonly rounds: number;
}

/** All steps in their order. Both load runs come before the browser's, so that figures of one kind are taken close together. */
export function officialSteps({ adapters, rounds }: OfficialOptions): readonly Step[] {
  return [
    {
      kind: "build",
      name: "build",
      command: ["commands/run.mjs", "commands/build.ts"],
      guessMs: BUILD_GUESS_MS,
    },
    loadStep("progressive", "official", adapters, rounds),
    loadStep("complete", "official-complete", adapters, rounds),
    browserStep(adapters),
    {
      kind: "publish",
      name: "summaries",
      command: ["commands/run.mjs", "commands/results-summary.ts"],
      guessMs: WRITING_GUESS_MS,
    },
    {
      kind: "publish",
      name: "page",
      command: ["commands/run.mjs", "commands/results-page.ts"],
      guessMs: WRITING_GUESS_MS,
    },
  ];
}

function loadStep(mode: string, baseline: string, adapters: number, rounds: number): MeasuringStep {
  return {
    kind: "measure",
    name: `${mode} run`,
    command: [
      "todo/runner/cli.mjs",
      ...["--runtime-mode", "official", "--response-mode", mode, "--rounds", `${rounds}`],
      "--allow-load-errors",
    ],
    naming: ["--save-baseline", baseline],
    report: `results/ssr-todo-${baseline}.json`,
    reportKind: "ssr-load",
    rounds,
    guessMs: adapters * rounds * LOAD_VISIT_GUESS_MS,
  };
}

function browserStep(adapters: number): MeasuringStep {
  const rounds = LEAST_OFFICIAL_ROUNDS;
  const report = "results/ssr-todo-browser-outcomes-official.json";
  return {
    kind: "measure",
    name: "browser run",
    command: ["todo/browser/cli.mjs", "--official", "--rounds", `${rounds}`, "--headed"],
    naming: ["--output", report],
    report,
    reportKind: "ssr-browser",
    rounds,
    // One more for each product: the check of its ready mark.
    guessMs: adapters * (rounds + 1) * BROWSER_VISIT_GUESS_MS,
  };
}

/** A step's whole command, in a run that begins. */
export function commandOf(step: Step): readonly string[] {
  return step.kind === "measure" ? [...step.command, ...step.naming] : step.command;
}
