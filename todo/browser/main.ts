/** `node todo/browser/cli.mjs`: the browser run of the todo workload. */
import { randomInt } from "node:crypto";
import path from "node:path";
import { Command, Option } from "commander";
import type { OnBrowserRunEvent } from "../../browser/events.ts";
import { BROWSER_JOURNAL, type BrowserJournal, browserRunFacts } from "../../browser/journal.ts";
import { makeBrowserPlan } from "../../browser/plan.ts";
import { jsonEvents, plainLines, withTerminal } from "../../browser/progress.ts";
import { type BrowserRunOutcome, runBrowser } from "../../browser/run.ts";
import { summariseBrowserRun } from "../../browser/summary.ts";
import { withBrowserWorld } from "../../browser/world.ts";
import { readBuilt } from "../../harness/build.ts";
import {
  adapterLines,
  nameList,
  positiveInteger,
  runCli,
  selectAdapters,
  wholeNumber,
} from "../../harness/cli.ts";
import { EXIT_DONE } from "../../harness/exit.ts";
import { readJournal } from "../../harness/journal.ts";
import { withLock } from "../../harness/lock.mjs";
import { type AdapterManifest, discoverAdapters } from "../../harness/manifest.ts";
import { assertOwnName } from "../../harness/official-name.ts";
import { RESULTS_DIR, SERVERS_DIR } from "../../harness/project.ts";
import { startProvenance } from "../../harness/provenance.ts";
import { assertResumable } from "../../harness/resume.ts";
import { browserOrderOf } from "../../report/browser/order.ts";
import type { BrowserPlan } from "../../report/browser/schema.ts";
import { type ResponseMode, responseModeSchema } from "../../report/schema.ts";
import { CONTRACT_VERSION } from "../contract/data.ts";

const EXAMPLES = `
Examples:
  node todo/browser/cli.mjs                                one round over every adapter
  node todo/browser/cli.mjs --only ID --rounds 10 --output results/runs/mine.json
  node todo/browser/cli.mjs --only ID --headless           without a display
  node todo/browser/cli.mjs --official                     ten rounds, unfiltered: results/ssr-todo-browser-outcomes-official.json
  node todo/browser/cli.mjs --resume results/ssr-todo-browser-outcomes-official.json

Exit codes: 0 every visit was right; 1 one wasn't, and there is no report; 2 wrong use; 130 Ctrl-C.
docs/browser-run.md says how a visit goes.`;

/** Options of the command as commander gives them. */
interface Flags {
  official?: true;
  responseMode: ResponseMode;
  only?: string[];
  skip?: string[];
  rounds?: number;
  seed?: number;
  headed?: true;
  headless?: true;
  output?: string;
  resume?: string;
  list?: true;
  dryRun?: true;
  json?: true;
}

function program(): Command {
  return new Command("todo/browser/cli.mjs")
    .description(
      "Takes a real browser through the 29 steps on every adapter's page, and writes a report that can be checked.",
    )
    .option("--official", "headed, progressive, unfiltered, ten rounds or more")
    .addOption(
      new Option("--response-mode <mode>", "official is progressive")
        .choices(responseModeSchema.options)
        .default("progressive"),
    )
    .option("--only <ids>", "adapters to visit, with commas between them (not official)", nameList)
    .option("--skip <ids>", "adapters to leave out (not official)", nameList)
    .option("--rounds <n>", "passes over all adapters (default: 1; official: 10)", positiveInteger)
    .option(
      "--seed <n>",
      "decides the order of the visits and the items of the steps (default: random; recorded)",
      wholeNumber,
    )
    .option("--headed", "on the display that is there, or on a virtual one (default)")
    .addOption(new Option("--headless", "without a display (not official)").conflicts("headed"))
    .option("--output <file>", "write the report there (default: a new file below results/runs)")
    .addOption(
      new Option(
        "--resume <file>",
        "go on with the run that would have written FILE, from its journal",
      ).conflicts("output"),
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
      flags.resume === undefined ? null : await readJournal(BROWSER_JOURNAL, path.resolve(flags.resume));
    const plan = planOf(command, flags, chosen, resumed);
    const file = reportFile(flags, plan);
    if (flags.dryRun) return showPlan(plan, file, flags);
    const visited = manifests.filter(({ id }) => plan.adapters.includes(id));
    const request = { plan, file, resumed, manifests: visited, argv, signal };
    const { report, keptAside } = await withProgress(flags, (onEvent) => visitAll(request, onEvent));
    if (!flags.json) {
      const terminal = Boolean(process.stdout.isTTY);
      process.stdout.write(summariseBrowserRun(report, { file, keptAside, terminal }));
    }
    return EXIT_DONE;
  });
}

/** Flags that decide the plan: with `--resume` they are not needed, and have to agree where they are given. */
const PLAN_FLAGS = ["official", "responseMode", "only", "skip", "rounds", "seed", "headed", "headless"];

function planOf(
  command: Command,
  flags: Flags,
  chosen: readonly AdapterManifest[],
  resumed: BrowserJournal | null,
): BrowserPlan {
  const asked = PLAN_FLAGS.some((name) => command.getOptionValueSource(name) === "cli");
  if (resumed !== null && !asked) return Object.freeze(resumed.head.plan);
  return makeBrowserPlan(
    {
      official: flags.official === true,
      filtered: flags.only !== undefined || flags.skip !== undefined,
      headed: flags.headless !== true,
      responseMode: flags.responseMode,
      rounds: flags.rounds,
      seed: flags.seed,
    },
    chosen.map(({ id }) => id),
    resumed?.head.plan.seed ?? randomInt(2 ** 31),
  );
}

const OFFICIAL_FILE = "ssr-todo-browser-outcomes-official.json";

/** @throws BenchError `usage` where the name is that of an official report, and the run is none */
function reportFile(flags: Flags, plan: BrowserPlan): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const unnamed =
    plan.runtimeMode === "official" ? OFFICIAL_FILE : path.join("runs", `ssr-browser-${time}.json`);
  const named = flags.resume ?? flags.output;
  const file = named === undefined ? path.join(RESULTS_DIR, unnamed) : path.resolve(named);
  assertOwnName(file, plan);
  return file;
}

function showPlan(plan: BrowserPlan, file: string, flags: Flags): number {
  const visits = browserOrderOf(plan);
  if (flags.json) process.stdout.write(`${JSON.stringify({ plan, file, visits })}\n`);
  else {
    const order = visits.map(({ adapter, round }) => `  round ${round}: ${adapter}`);
    process.stdout.write(
      `${JSON.stringify(plan, null, 2)}\n${visits.length} visits, in this order:\n${order.join("\n")}\nReport: ${file}\n`,
    );
  }
  return EXIT_DONE;
}

interface Visiting {
  readonly plan: BrowserPlan;
  readonly file: string;
  readonly resumed: BrowserJournal | null;
  readonly manifests: readonly AdapterManifest[];
  readonly argv: readonly string[];
  readonly signal: AbortSignal;
}

async function withProgress<T>(flags: Flags, work: (onEvent: OnBrowserRunEvent) => Promise<T>): Promise<T> {
  if (flags.json) return await work(jsonEvents(process.stdout));
  if (!process.stdout.isTTY) return await work(plainLines(process.stdout));
  return await withTerminal(work);
}

/** All visits, while nobody else on this machine measures. */
async function visitAll(request: Visiting, onEvent: OnBrowserRunEvent): Promise<BrowserRunOutcome> {
  const wait = () =>
    process.stderr.write("Another measurement is running on this machine; waiting for it to end.\n");
  return await withLock("measurement", wait, () => visitLocked(request, onEvent), request.signal);
}

async function visitLocked(
  { plan, file, resumed, manifests, argv, signal }: Visiting,
  onEvent: OnBrowserRunEvent,
): Promise<BrowserRunOutcome> {
  const built = await Promise.all(manifests.map((manifest) => readBuilt(manifest)));
  const provenance = await startProvenance(built, ["todo/browser/cli.mjs", ...argv], new Date());
  return await withBrowserWorld({ plan, built, signal }, async ({ browser, checkReady, visit }) => {
    if (resumed !== null) {
      const now = { contractVersion: CONTRACT_VERSION, plan, provenance, browser };
      assertResumable(browserRunFacts(resumed.head), browserRunFacts(now));
    }
    return await runBrowser({
      plan,
      // What it was begun with; that nothing of it has changed has just been checked.
      provenance: resumed?.head.provenance ?? provenance,
      browser,
      contractVersion: CONTRACT_VERSION,
      file,
      resumed,
      checkReady,
      visit,
      onEvent,
      now: () => new Date(),
      signal,
    });
  });
}
