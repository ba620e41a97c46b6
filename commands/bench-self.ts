/** `pnpm bench:self`: the suite's figures about itself, each a ratio of two arms that alternate within one run. */
import Table from "cli-table3";
import { Command } from "commander";
import { readBuilt } from "../harness/build.ts";
import { nameList, positiveInteger, positiveNumber, runCli, selectAdapters } from "../harness/cli.ts";
import { allowedCpus, assignCpus, pinSelf, siblingsOf } from "../harness/cpus.ts";
import { BenchError } from "../harness/errors.ts";
import { EXIT_DONE } from "../harness/exit.ts";
import { launchServer, markRun, type RunMark } from "../harness/launch.ts";
import { withLock } from "../harness/lock.mjs";
import { type AdapterManifest, discoverAdapters } from "../harness/manifest.ts";
import { PROJECT_ROOT, SERVERS_DIR } from "../harness/project.ts";
import { type Ratio, ratioOfPairs } from "../report/ratio.ts";
import { type ResponseMode, type RunPlan, responseModeSchema } from "../report/schema.ts";
import { median } from "../report/statistics.ts";
import { loadGenerator } from "../runner/load/drive.ts";
import { makePlan } from "../runner/plan.ts";
import { alternate, type Turn } from "../runner/self/arms.ts";
import { assertSameBytes } from "../runner/self/same-bytes.ts";

const EXAMPLES = `
Examples:
  npm run bench:self
  npm run bench:self -- --only ID --rounds 20

What it measures: CPU time per response of an adapter's server ÷ that of a bare server, of the same build, that calls
the same renderer on the same tree and sends the same bytes. 1.00 means that the suite's own part costs nothing.
An adapter takes part whose adapter.json has a "bareStart".`;

interface Flags {
  only?: string[];
  skip?: string[];
  rounds: number;
  seconds: number;
  json?: true;
}

/** One adapter in one mode against its bare server. */
interface Comparison {
  readonly adapter: string;
  readonly responseMode: ResponseMode;
  readonly cpuUsPerResponse: { readonly adapter: number; readonly bare: number };
  readonly cpuRatio: Ratio;
  readonly rpsRatio: Ratio;
  /** Median and largest share of the server CPU that the hypervisor gave to others in those turns. */
  readonly steal: { readonly median: number; readonly max: number };
}

const command = new Command("bench:self")
  .description(
    "Measures what the suite's own part of a server costs, beside a bare server with the same renderer.",
  )
  .option("--only <ids>", "adapters to compare, with commas between them", nameList)
  .option("--skip <ids>", "adapters to leave out", nameList)
  .option("--rounds <n>", "turns of each arm", positiveInteger, 10)
  .option("--seconds <s>", "length of a turn's window", positiveNumber, 2)
  .option("--json", "newline-delimited results on stdout")
  .addHelpText("after", EXAMPLES)
  .allowExcessArguments(false);

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const flags: Flags = command.opts();
  const all = await discoverAdapters(SERVERS_DIR);
  const adapters = selectAdapters(all, flags).filter(({ bareStart }) => bareStart !== undefined);
  if (adapters.length === 0) throw nothingToCompare(all);
  const wait = () =>
    process.stderr.write("Another measurement is running on this machine; waiting for it to end.\n");
  const comparisons = await withLock("measurement", wait, () => compareAll(adapters, flags, signal), signal);
  if (!flags.json) process.stdout.write(`${table(comparisons)}\n`);
  return EXIT_DONE;
});

async function compareAll(
  adapters: readonly AdapterManifest[],
  flags: Flags,
  signal: AbortSignal,
): Promise<Comparison[]> {
  await Promise.all(adapters.map((manifest) => readBuilt(manifest)));
  const allowed = allowedCpus();
  const cpus = assignCpus(allowed, siblingsOf(allowed[0] ?? 0));
  const asked = {
    runtimeMode: "quick",
    filtered: true,
    rounds: flags.rounds,
    seconds: flags.seconds,
  } as const;
  const plan = makePlan(
    asked,
    adapters.map(({ id }) => id),
    cpus,
    0,
  );
  await pinSelf(cpus.others);
  await using mark = markRun();
  const comparisons: Comparison[] = [];
  for (const manifest of adapters) {
    for (const mode of responseModeSchema.options) {
      const comparison = await compare(manifest, mode, plan, mark, signal);
      comparisons.push(comparison);
      if (flags.json) process.stdout.write(`${JSON.stringify(comparison)}\n`);
    }
  }
  return comparisons;
}

async function compare(
  manifest: AdapterManifest,
  mode: ResponseMode,
  plan: RunPlan,
  mark: RunMark,
  signal: AbortSignal,
): Promise<Comparison> {
  const options = { mode, cpu: plan.cpus.server, signal };
  const own = await launchServer({ ...options, manifest, mark });
  try {
    // Of its own mark, so that the end of one arm doesn't end the other.
    await using bareMark = markRun();
    const bare = await launchServer({
      ...options,
      manifest: { ...manifest, start: manifest.bareStart ?? manifest.start },
      mark: bareMark,
    });
    try {
      await assertSameBytes(own, bare, manifest.id, signal);
      const onRound = (round: number) =>
        process.stderr.write(`${manifest.id} ${mode}: round ${round} of ${plan.rounds}\n`);
      const pairs = await alternate(own, bare, { plan, load: loadGenerator, signal, onRound });
      return conclude(manifest.id, mode, pairs);
    } finally {
      await bare.stop();
    }
  } finally {
    await own.stop();
  }
}

function conclude(
  adapter: string,
  responseMode: ResponseMode,
  pairs: readonly (readonly [Turn, Turn])[],
): Comparison {
  const ratioOf = (figure: (turn: Turn) => number) =>
    ratioOfPairs(pairs.map(([own, bare]) => [figure(own), figure(bare)] as const));
  const steal = pairs.flat().map(({ stealShare }) => stealShare);
  return {
    adapter,
    responseMode,
    cpuUsPerResponse: {
      adapter: median(pairs.map(([own]) => own.cpuUsPerResponse)),
      bare: median(pairs.map(([, bare]) => bare.cpuUsPerResponse)),
    },
    cpuRatio: ratioOf((turn) => turn.cpuUsPerResponse),
    rpsRatio: ratioOf((turn) => turn.completedRps),
    steal: { median: median(steal), max: Math.max(...steal) },
  };
}

function table(comparisons: readonly Comparison[]): string {
  const head = [
    "adapter",
    "mode",
    "CPU µs/response",
    "bare",
    "CPU ratio",
    "interval",
    "RPS ratio",
    "steal, most",
  ];
  const drawn = new Table({ head, style: { head: [], border: [] } });
  for (const { adapter, responseMode, cpuUsPerResponse, cpuRatio, rpsRatio, steal } of comparisons) {
    drawn.push([
      adapter,
      responseMode,
      cpuUsPerResponse.adapter.toFixed(0),
      cpuUsPerResponse.bare.toFixed(0),
      cpuRatio.ratio.toFixed(3),
      spread(cpuRatio),
      rpsRatio.ratio.toFixed(3),
      `${percent(steal.median)}, ${percent(steal.max)}`,
    ]);
  }
  return drawn.toString();
}

function spread({ low, high, level, pairs }: Ratio): string {
  const what = level === null ? `range of ${pairs}` : `${percent(level)} of ${pairs} pairs`;
  return `${low.toFixed(3)} to ${high.toFixed(3)} (${what})`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function nothingToCompare(all: readonly AdapterManifest[]): BenchError {
  const able = all.filter(({ bareStart }) => bareStart !== undefined).map(({ id }) => id);
  return new BenchError({
    stage: "plan",
    code: "usage",
    message: "none of these adapters has a bare server to be compared with",
    hint: `There are: ${able.join(", ") || `none; "bareStart" in ${PROJECT_ROOT}/servers/ID/adapter.json names one`}`,
  });
}
