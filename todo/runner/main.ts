/** `node todo/runner/cli.mjs`: the load run of the todo workload. */
import { randomInt } from "node:crypto";
import path from "node:path";
import { Command, Option } from "commander";
import { type BuiltAdapter, readBuilt } from "../../harness/build.ts";
import {
  adapterLines,
  nameList,
  positiveInteger,
  positiveNumber,
  runCli,
  selectAdapters,
  wholeNumber,
} from "../../harness/cli.ts";
import { allowedCpus, assignCpus, pinSelf, siblingsOf } from "../../harness/cpus.ts";
import { EXIT_DONE, EXIT_FAILED } from "../../harness/exit.ts";
import { readJournal } from "../../harness/journal.ts";
import { withLock } from "../../harness/lock.mjs";
import { type AdapterManifest, discoverAdapters } from "../../harness/manifest.ts";
import { markRun } from "../../harness/mark.ts";
import { assertOwnName } from "../../harness/official-name.ts";
import { RESULTS_DIR, SERVERS_DIR } from "../../harness/project.ts";
import { assertResumable, runFacts } from "../../harness/resume.ts";
import { orderOf } from "../../report/order.ts";
import { type LoadReport, type RunPlan, responseModeSchema, runtimeModeSchema } from "../../report/schema.ts";
import type { OnRunEvent } from "../../runner/events.ts";
import { LOAD_JOURNAL, type LoadJournal } from "../../runner/journal.ts";
import { baselineFile, makePlan, type RunOptions } from "../../runner/plan.ts";
import { jsonEvents, plainLines, withTerminal } from "../../runner/progress.ts";
import { startLoadProvenance } from "../../runner/provenance.ts";
import { type RunOutcome, runLoad } from "../../runner/run.ts";
import { summarise } from "../../runner/summary.ts";
import { visit } from "../../runner/visit.ts";
import { realPorts } from "../../runner/world.ts";
import { CONTRACT_VERSION } from "../contract/data.ts";

const EXAMPLES = `
Examples:
  node todo/runner/cli.mjs                                    quick run of every adapter, both modes
  node todo/runner/cli.mjs --only ID --seconds 10 --rounds 6
  node todo/runner/cli.mjs --runtime-mode official --response-mode complete --save-baseline official-complete
  node todo/runner/cli.mjs --resume results/ssr-todo-official-complete.json
  node todo/runner/cli.mjs --control telemetry --only ID --rounds 6

Exit codes: 0 every cell was measured; 1 a failed or invalid cell, or load errors without --allow-load-errors;
2 wrong use; 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP. docs/measuring.md says how a row is measured.`;

/** Options of the command as commander gives them. */
interface Flags {
  runtimeMode: RunOptions["runtimeMode"];
  responseMode?: RunOptions["responseMode"];
  only?: string[];
  skip?: string[];
  rounds?: number;
  seed?: number;
  connections?: number;
  probeSeconds?: number;
  warmSeconds?: number;
  seconds?: number;
  saveBaseline?: string;
  output?: string;
  allowLoadErrors?: true;
  control?: "telemetry";
  resume?: string;
  list?: true;
  dryRun?: true;
  json?: true;
}

function program(): Command {
  return new Command("todo/runner/cli.mjs")
    .description("Measures adapters under load and writes a report that can be checked.")
    .addOption(
      new Option("--runtime-mode <mode>", "official: full durations, unfiltered")
        .choices(runtimeModeSchema.options)
        .default("quick"),
    )
    .addOption(
      new Option("--response-mode <mode>", "quick does both unless told; official needs one").choices(
        responseModeSchema.options,
      ),
    )
    .option("--only <ids>", "adapters to measure, with commas between them (quick only)", nameList)
    .option("--skip <ids>", "adapters to leave out (quick only)", nameList)
    .option(
      "--rounds <n>",
      "passes over all cells; from 6 on, figures have intervals (default: 1)",
      positiveInteger,
    )
    .option("--seed <n>", "decides the order of the cells (default: random; recorded)", wholeNumber)
    .option("--connections <n>", "connections of the load (quick only; default: 64)", positiveInteger)
    .option(
      "--probe-seconds <s>",
      "length of each of the three probes (quick only; default: 1)",
      positiveNumber,
    )
    .option("--warm-seconds <s>", "warm-up before the window (quick only; default: 1)", positiveNumber)
    .option("--seconds <s>", "length of the measured window (quick only; default: 3)", positiveNumber)
    .addOption(new Option("--save-baseline <name>", "write results/ssr-todo-NAME.json").conflicts("output"))
    .option("--output <file>", "write the report there (default: a new file below results/runs)")
    .option(
      "--allow-load-errors",
      "errors under load don't fail the command; the rows are the same either way",
    )
    .addOption(
      new Option("--control <what>", "measure the sampler's cost: every cell with it on and off").choices([
        "telemetry",
      ]),
    )
    .addOption(
      new Option(
        "--resume <file>",
        "go on with the run that would have written FILE, from its journal",
      ).conflicts(["output", "saveBaseline"]),
    )
    .option("--list", "list the adapters and end")
    .option("--dry-run", "show the plan and end")
    .option("--json", "newline-delimited events on stdout instead of progress and table")
    .addHelpText("after", EXAMPLES)
    .allowExcessArguments(false);
}

/** @param argv the flags, without program and script. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const command = program();
  return await runCli(command, argv, async (signal) => {
    const flags: Flags = command.opts();
    const manifests = await discoverAdapters(SERVERS_DIR);
    if (flags.list) {
      process.stdout.write(adapterLines(manifests, flags.json === true));
      return EXIT_DONE;
    }
    const chosen = selectAdapters(manifests, flags);
    const resumed =
      flags.resume === undefined ? null : await readJournal(LOAD_JOURNAL, path.resolve(flags.resume));
    const plan = planOf(command, flags, chosen, resumed);
    const file = reportFile(flags, plan);
    assertOwnName(file, plan);
    if (flags.dryRun) return showPlan(plan, file, flags);
    const measured = manifests.filter(({ id }) => plan.adapters.includes(id));
    const { report, keptAside } = await measure({
      plan,
      file,
      resumed,
      manifests: measured,
      argv,
      signal,
      flags,
    });
    if (!flags.json)
      process.stdout.write(summarise(report, { file, keptAside, terminal: Boolean(process.stdout.isTTY) }));
    return exitCode(report, flags.allowLoadErrors === true);
  });
}

/** Flags that decide the plan: with `--resume` they are not needed, and have to agree where they are given. */
const PLAN_FLAGS = [
  "runtimeMode",
  "responseMode",
  "only",
  "skip",
  "rounds",
  "seed",
  "connections",
  "probeSeconds",
  "warmSeconds",
  "seconds",
  "control",
];

function planOf(
  command: Command,
  flags: Flags,
  chosen: readonly AdapterManifest[],
  resumed: LoadJournal | null,
): RunPlan {
  const asked = PLAN_FLAGS.some((name) => command.getOptionValueSource(name) === "cli");
  const seed = resumed?.head.plan.seed ?? randomInt(2 ** 31);
  const allowed = allowedCpus();
  const cpus = assignCpus(allowed, siblingsOf(allowed[0] ?? 0));
  if (resumed !== null && !asked)
    return Object.freeze({ ...resumed.head.plan, cpus: { server: cpus.server, others: [...cpus.others] } });
  const filtered = flags.only !== undefined || flags.skip !== undefined;
  return makePlan(
    { ...flags, filtered },
    chosen.map(({ id }) => id),
    cpus,
    seed,
  );
}

function reportFile(flags: Flags, plan: RunPlan): string {
  if (flags.resume !== undefined) return path.resolve(flags.resume);
  if (flags.output !== undefined) return path.resolve(flags.output);
  if (flags.saveBaseline !== undefined) return path.join(RESULTS_DIR, baselineFile(flags.saveBaseline, plan));
  return path.join(RESULTS_DIR, "runs", `ssr-load-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.json`);
}

function showPlan(plan: RunPlan, file: string, flags: Flags): number {
  const visits = orderOf(plan);
  if (flags.json) process.stdout.write(`${JSON.stringify({ plan, file, visits })}\n`);
  else {
    const order = visits.map(
      ({ adapter, responseMode, round, telemetry }) =>
        `  round ${round}: ${adapter} ${responseMode}${telemetry ? "" : ", without the sampler"}`,
    );
    process.stdout.write(
      `${JSON.stringify(plan, null, 2)}\n${visits.length} visits, in this order:\n${order.join("\n")}\nReport: ${file}\n`,
    );
  }
  return EXIT_DONE;
}

interface Measurement {
  readonly plan: RunPlan;
  readonly file: string;
  readonly resumed: LoadJournal | null;
  readonly manifests: readonly AdapterManifest[];
  readonly argv: readonly string[];
  readonly signal: AbortSignal;
  readonly flags: Flags;
}

async function measure(request: Measurement): Promise<RunOutcome> {
  const wait = () =>
    process.stderr.write("Another measurement is running on this machine; waiting for it to end.\n");
  const work = async (): Promise<RunOutcome> => {
    const built = await Promise.all(request.manifests.map((manifest) => readBuilt(manifest)));
    if (request.flags.json) return await measureBuilt(request, built, jsonEvents(process.stdout));
    if (!process.stdout.isTTY) return await measureBuilt(request, built, plainLines(process.stdout));
    return await withTerminal((onEvent) => measureBuilt(request, built, onEvent));
  };
  return await withLock("measurement", wait, work, request.signal);
}

async function measureBuilt(
  { plan, file, resumed, argv, signal }: Measurement,
  built: readonly BuiltAdapter[],
  onEvent: OnRunEvent,
): Promise<RunOutcome> {
  const provenance = await startLoadProvenance(built, ["todo/runner/cli.mjs", ...argv], new Date());
  if (resumed !== null) {
    const now = runFacts({ contractVersion: CONTRACT_VERSION, plan, provenance });
    assertResumable(runFacts(resumed.head), now);
  }
  const byId = new Map(built.map((adapter) => [adapter.manifest.id, adapter]));
  await pinSelf(plan.cpus.others);
  await using mark = markRun();
  return await runLoad({
    plan,
    // What it was begun with; that nothing of it has changed has just been checked.
    provenance: resumed?.head.provenance ?? provenance,
    contractVersion: CONTRACT_VERSION,
    file,
    resumed,
    visit: (planned, onStage) =>
      visit(
        { ...planned, built: byId.get(planned.adapter) as BuiltAdapter },
        plan,
        realPorts(plan, mark, onStage),
        signal,
      ),
    onEvent,
    now: () => new Date(),
    signal,
  });
}

/** Rows say the same either way; only the command's own verdict on itself depends on the flag. */
function exitCode(report: LoadReport, allowLoadErrors: boolean): number {
  const bad = report.rows.some((row) => {
    if (row.status === "failed") return true;
    if (row.reasons.includes("invalid") || row.reasons.includes("inconsistent")) return true;
    return row.errors > 0 && !allowLoadErrors;
  });
  return bad ? EXIT_FAILED : EXIT_DONE;
}
