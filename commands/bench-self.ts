/** `npm run bench:self`: the suite's figures about itself, each with its spread and held to its target. */
import path from "node:path";
import { Command } from "commander";
import { readBuilt } from "../harness/build.ts";
import { nameList, positiveInteger, positiveNumber, runCli, selectAdapters } from "../harness/cli.ts";
import { allowedCpus, assignCpus, pinSelf, siblingsOf } from "../harness/cpus.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { writeAtomically } from "../harness/files.ts";
import { withLock } from "../harness/lock.mjs";
import { readMachine } from "../harness/machine.ts";
import { type AdapterManifest, discoverAdapters } from "../harness/manifest.ts";
import { PROJECT_ROOT, SERVERS_DIR } from "../harness/project.ts";
import type { SelfBenchmark } from "../harness/self-benchmark.ts";
import { readSource } from "../harness/source.ts";
import { formatDocument, type Origin } from "../report/self/document.ts";
import type { SelfResult } from "../report/self/findings.ts";
import { formatResult, formatVerdicts } from "../report/self/format.ts";
import { selfBenchmarks } from "./self/benchmarks.ts";
import { jsonEvents, plainLines, withTerminal } from "./self/progress.ts";
import { type OnSelfEvent, runBenchmarks, selectBenchmarks } from "./self/run.ts";

const DOCUMENT = path.join(PROJECT_ROOT, "docs", "self.md");
const BENCHMARKS = selfBenchmarks();
const WIDEST_NAME = Math.max(...BENCHMARKS.map(({ name }) => name.length));

const HELP = `
Benchmarks, in the order in which they run:
${BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(WIDEST_NAME)}  ${about}`).join("\n")}

Examples:
  npm run bench:self
  npm run bench:self -- --what wrk,kit --only ID --rounds 20

Without flags it takes 12 to 25 minutes, and its figures are written into docs/self.md. A missed target is a figure,
not a failure. Exit codes: 0 done; 1 a benchmark that couldn't be measured; 2 wrong use; 130 Ctrl-C.`;

interface Flags {
  what?: string[];
  only?: string[];
  skip?: string[];
  rounds?: number;
  seconds?: number;
  json?: true;
}

const command = new Command("bench:self")
  .description("Measures the suite itself: its load, its sampler, its intervals, and what its servers cost.")
  .option("--what <names>", "benchmarks to run, with commas between them, and what they need", nameList)
  .option("--only <ids>", "adapters to measure with", nameList)
  .option("--skip <ids>", "adapters to leave out", nameList)
  .option("--rounds <n>", "rounds of each benchmark, instead of its own number", positiveInteger)
  .option("--seconds <s>", "length of a window, instead of each benchmark's own", positiveNumber)
  .option("--json", "newline-delimited events on stdout")
  .addHelpText("after", HELP)
  .allowExcessArguments(false);

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const flags: Flags = command.opts();
  const benchmarks = selectBenchmarks(BENCHMARKS, flags.what ?? null);
  const manifests = selectAdapters(await discoverAdapters(SERVERS_DIR), flags);
  const wait = () =>
    process.stderr.write("Another measurement is running on this machine; waiting for it to end.\n");
  const measure = (onEvent: OnSelfEvent) => measureSelf(benchmarks, manifests, flags, signal, onEvent);
  const origin = await readOrigin();
  const results = await withLock("measurement", wait, () => shown(flags, measure), signal);
  if (isWhole(flags)) await writeDocument(results, origin, flags);
  return results.some(({ outcome }) => outcome.status === "failed") ? EXIT_FAILED : EXIT_DONE;
});

async function measureSelf(
  benchmarks: readonly SelfBenchmark[],
  manifests: readonly AdapterManifest[],
  { rounds, seconds, only, skip }: Flags,
  signal: AbortSignal,
  onEvent: OnSelfEvent,
): Promise<SelfResult[]> {
  const built = await Promise.all(manifests.map((manifest) => readBuilt(manifest)));
  const allowed = allowedCpus();
  const cpus = assignCpus(allowed, siblingsOf(allowed[0] ?? 0));
  await pinSelf(cpus.others);
  const filtered = only !== undefined || skip !== undefined;
  return await runBenchmarks(benchmarks, { built, filtered, cpus, rounds, seconds, signal }, onEvent);
}

/** Progress and results as the flags and the terminal want them. */
async function shown(
  flags: Flags,
  measure: (onEvent: OnSelfEvent) => Promise<SelfResult[]>,
): Promise<SelfResult[]> {
  if (flags.json) return await measure(jsonEvents(process.stdout));
  const results = process.stdout.isTTY
    ? await inTerminal(measure)
    : await measure(plainLines(process.stdout));
  process.stdout.write(`\nTargets: ${formatVerdicts(results)}.\n`);
  return results;
}

async function inTerminal(measure: (onEvent: OnSelfEvent) => Promise<SelfResult[]>): Promise<SelfResult[]> {
  const results = await withTerminal(measure);
  for (const result of results) process.stdout.write(`\n${formatResult(result, "terminal")}\n`);
  return results;
}

/** Everything as it is by default: only such figures compare with those of another day. */
function isWhole({ json: _, ...others }: Flags): boolean {
  return Object.values(others).every((value) => value === undefined);
}

/** What is measured, before the measuring: nothing that changes meanwhile is in it. */
async function readOrigin(): Promise<Omit<Origin, "endedAt">> {
  const { revision, dirty, digest } = await readSource(PROJECT_ROOT);
  return {
    command: "npm run bench:self",
    startedAt: new Date(),
    machine: readMachine(),
    revision,
    dirty,
    sourceDigest: digest,
    runnerNode: process.versions.node,
  };
}

async function writeDocument(
  results: readonly SelfResult[],
  origin: Omit<Origin, "endedAt">,
  { json }: Flags,
): Promise<void> {
  await writeAtomically(DOCUMENT, formatDocument(results, { ...origin, endedAt: new Date() }));
  const said = json ? JSON.stringify({ type: "document", file: DOCUMENT }) : `Written: ${DOCUMENT}`;
  process.stdout.write(`${said}\n`);
}
