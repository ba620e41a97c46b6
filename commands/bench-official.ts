/** `npm run bench:official`: both load runs, the browser run, the summaries and the page, from a clean checkout. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { summariseBrowserRun } from "../browser/summary.ts";
import { positiveInteger, runCli } from "../harness/cli.ts";
import { BenchError } from "../harness/errors.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { discoverAdapters } from "../harness/manifest.ts";
import { nullIfAbsent } from "../harness/present.ts";
import { PROJECT_ROOT, SERVERS_DIR } from "../harness/project.ts";
import { readSource } from "../harness/source.ts";
import { formatLeft } from "../harness/time-left.ts";
import { verifyReport } from "../report/any-report.ts";
import { summarise } from "../runner/summary.ts";
import type { OnOfficialEvent } from "./official/events.ts";
import { type Finding, preflight } from "./official/preflight.ts";
import { endOf, jsonEvents, plainLines, withTerminal } from "./official/progress.ts";
import { type SoFar, soFar } from "./official/progress-so-far.ts";
import { type EndedStep, runOfficial, runScript } from "./official/run.ts";
import { commandOf, type MeasuringStep, officialSteps, type Step } from "./official/steps.ts";

const EXAMPLES = `
Examples:
  npm run bench:official -- --dry-run      the commands, and how long they take
  npm run bench:official
  npm run bench:official -- --rounds 6     load figures with intervals, and places
  npm run bench:official -- --resume       go on with a run that died or was interrupted

Exit codes: 0 all is measured and published; 1 something blocks publication; 2 wrong use; 130 Ctrl-C.`;

interface Flags {
  rounds: number;
  resume?: true;
  dryRun?: true;
  json?: true;
}

const command = new Command("bench:official")
  .description("Measures every adapter in both modes and in the browser, and publishes summaries and a page.")
  .option("--rounds <n>", "rounds of each load run; from 6 on, figures have intervals", positiveInteger, 1)
  .option("--resume", "take what is whole of this source, go on with what was begun, and do the rest")
  .option("--dry-run", "show the commands and end")
  .option("--json", "newline-delimited events on stdout")
  .addHelpText("after", EXAMPLES)
  .allowExcessArguments(false);

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const flags: Flags = command.opts();
  const manifests = await discoverAdapters(SERVERS_DIR);
  const steps = officialSteps({ adapters: manifests.length, rounds: flags.rounds });
  if (flags.dryRun) return showSteps(steps, flags);
  const source = await readSource(PROJECT_ROOT);
  const left = flags.resume ? await leftOver(steps, source.digest) : new Map<Step, SoFar>();
  refuseOrTell(await preflight(manifests, source));
  signal.addEventListener("abort", tellHowToGoOn);
  const ended = await withProgress(flags, (onEvent) =>
    runOfficial({
      steps,
      soFar: (step) => left.get(step) ?? "nothing",
      runStep: runScript,
      onEvent,
      signal,
    }),
  );
  if (!flags.json) process.stdout.write(await conclusion(ended));
  return ended.length === steps.length && ended.every(({ outcome }) => outcome !== "failed")
    ? EXIT_DONE
    : EXIT_FAILED;
});

/** What an earlier run has left of each step, known before the first of them begins. */
async function leftOver(steps: readonly Step[], sourceDigest: string): Promise<ReadonlyMap<Step, SoFar>> {
  const left = new Map<Step, SoFar>();
  for (const step of steps) if (step.kind === "measure") left.set(step, await soFar(step, sourceDigest));
  return left;
}

function tellHowToGoOn(): void {
  process.stderr.write("Ending; what is measured is kept. Go on with: npm run bench:official -- --resume\n");
}

function showSteps(steps: readonly Step[], { json }: Flags): number {
  const guessMs = steps.reduce((sum, step) => sum + step.guessMs, 0);
  const lines = json
    ? [JSON.stringify({ steps, guessMs })]
    : [
        ...steps.map((step) => `node ${commandOf(step).join(" ")}   # about ${formatLeft(step.guessMs)}`),
        `About ${formatLeft(guessMs)} in all.`,
      ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return EXIT_DONE;
}

/** @throws BenchError `unpublishable` with everything that blocks; the rest goes to stderr */
function refuseOrTell(findings: readonly Finding[]): void {
  const lines = (some: readonly Finding[]): string =>
    some.map(({ message, hint }) => `  ${message}\n    ${hint}`).join("\n");
  const blocking = findings.filter(({ blocks }) => blocks);
  if (blocking.length > 0) {
    throw new BenchError({
      stage: "plan",
      code: "unpublishable",
      message: `nothing that is measured now could be published:\n${lines(blocking)}`,
      hint: "Mend all of it first; nothing has been started. npm run bench:quick measures in any case.",
    });
  }
  if (findings.length > 0) process.stderr.write(`To know before it begins:\n${lines(findings)}\n`);
}

async function withProgress<T>(flags: Flags, work: (onEvent: OnOfficialEvent) => Promise<T>): Promise<T> {
  if (flags.json) return await work(jsonEvents(process.stdout));
  if (!process.stdout.isTTY) return await work(plainLines(process.stdout));
  return await withTerminal(work);
}

/** The tables of all reports that are there, then each step's end. */
async function conclusion(ended: readonly EndedStep[]): Promise<string> {
  const measured = ended.map(({ step }) => step).filter((step) => step.kind === "measure");
  const tables = await Promise.all(measured.map(tableOf));
  const ends = ended.map((end) => `${end.step.name}: ${endOf(end)}`);
  return [...tables.filter((table) => table !== null), ...ends, ""].join("\n");
}

async function tableOf({ report: name }: MeasuringStep): Promise<string | null> {
  const file = path.join(PROJECT_ROOT, name);
  const text = await readFile(file, "utf8").catch(nullIfAbsent);
  const report = text === null ? null : verifyReport(text).report;
  if (report === null) return null;
  const shown = { file, keptAside: null, terminal: Boolean(process.stdout.isTTY) };
  return report.kind === "ssr-load" ? summarise(report, shown) : summariseBrowserRun(report, shown);
}
