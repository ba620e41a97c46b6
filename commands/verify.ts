/** `pnpm verify`: the contract against running servers, every adapter in both modes, without any load. */
import { Command, Option } from "commander";
import { type BuiltAdapter, readBuilt } from "../harness/build.ts";
import { nameList, runCli, selectAdapters } from "../harness/cli.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { launchServer } from "../harness/launch.ts";
import { discoverAdapters } from "../harness/manifest.ts";
import { markRun, type RunMark } from "../harness/mark.ts";
import { SERVERS_DIR } from "../harness/project.ts";
import { judgeStop } from "../harness/shutdown.ts";
import { type Problem, type ResponseMode, responseModeSchema } from "../report/schema.ts";
import { verifyServer } from "../runner/verify.ts";

interface Flags {
  only?: string[];
  skip?: string[];
  responseMode?: ResponseMode;
  json?: true;
}

const EXAMPLES = `
Examples:
  npm run verify
  npm run verify -- --only ID,ID --response-mode complete

Exit codes: 0 every server keeps the contract; 1 at least one breach; 2 wrong use.
docs/contract.md has the contract.`;

/** What the contract's check of one cell found. */
interface Checked {
  readonly adapter: string;
  readonly responseMode: ResponseMode;
  readonly requests: number;
  readonly problems: readonly Problem[];
}

function program(): Command {
  return new Command("verify")
    .description("Checks the workload's HTTP and DOM contract on running servers and lists every breach.")
    .option("--only <ids>", "adapters to check, with commas between them", nameList)
    .option("--skip <ids>", "adapters to leave out", nameList)
    .addOption(
      new Option("--response-mode <mode>", "one mode only (default: both)").choices(
        responseModeSchema.options,
      ),
    )
    .option("--json", "newline-delimited results on stdout")
    .addHelpText("after", EXAMPLES)
    .allowExcessArguments(false);
}

const command = program();
process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const flags: Flags = command.opts();
  const adapters = selectAdapters(await discoverAdapters(SERVERS_DIR), flags);
  const modes = flags.responseMode === undefined ? responseModeSchema.options : [flags.responseMode];
  const built = await Promise.all(adapters.map((manifest) => readBuilt(manifest)));
  await using mark = markRun();
  let breaches = 0;
  for (const adapter of built) {
    for (const mode of modes) {
      const checked = await check(adapter, mode, mark, signal);
      breaches += checked.problems.length;
      process.stdout.write(`${flags.json ? JSON.stringify(checked) : describe(checked)}\n`);
    }
  }
  return breaches === 0 ? EXIT_DONE : EXIT_FAILED;
});

async function check(
  { manifest, artifacts }: BuiltAdapter,
  mode: ResponseMode,
  mark: RunMark,
  signal: AbortSignal,
): Promise<Checked> {
  const server = await launchServer({ manifest, mode, cpu: null, mark, signal });
  try {
    const gone = AbortSignal.any([signal, server.gone]);
    const verification = await verifyServer({
      target: server.target,
      manifest,
      artifacts,
      mode,
      pids: () => server.pids(),
      depth: "full",
      signal: gone,
    });
    const outcome = await server.stop();
    const problems = [...verification.problems, ...judgeStop(outcome, manifest)];
    return { adapter: manifest.id, responseMode: mode, requests: verification.verified.requests, problems };
  } finally {
    await server.stop();
  }
}

function describe({ adapter, responseMode, requests, problems }: Checked): string {
  const head = `${adapter} ${responseMode}: ${problems.length === 0 ? `keeps the contract (${requests} requests)` : `${problems.length} breaches`}`;
  return [
    head,
    ...problems.map(({ rule, expected, seen }) => `  ${rule}: expected ${expected}, seen ${seen}`),
  ].join("\n");
}
