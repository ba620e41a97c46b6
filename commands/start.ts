/** `npm start`: builds what isn't built, and makes a quick run of every adapter that this machine can run. */
import { Command } from "commander";
import { nameList, runCli, selectAdapters } from "../harness/cli.ts";
import { BenchError } from "../harness/errors.ts";
import { type AdapterManifest, discoverAdapters } from "../harness/manifest.ts";
import { SERVERS_DIR } from "../harness/project.ts";
import { findProgram, needsRust } from "../harness/tools.ts";
import { main as runLoad } from "../todo/runner/main.ts";
import { buildWithProgress } from "./build-progress.ts";

const EXAMPLES = `
Examples:
  npm start
  npm start -- --only ID,ID

For every other choice: npm run bench:quick -- --help`;

interface Flags {
  readonly only?: string[];
  readonly skip?: string[];
}

const command = new Command("start")
  .description("Sets up and builds what is missing, then makes a quick run of every adapter in both modes.")
  .option("--only <ids>", "adapters to run, with commas between them", nameList)
  .option("--skip <ids>", "adapters to leave out", nameList)
  .addHelpText("after", EXAMPLES);

/** The adapters that this machine can build; those that it can't are named on stderr, with what they need. */
function leaveOutUnbuildable(chosen: readonly AdapterManifest[]): AdapterManifest[] {
  if (findProgram("cargo") !== null) return [...chosen];
  const leftOut = chosen.filter(needsRust).map(({ id }) => id);
  if (leftOut.length === 0) return [...chosen];
  process.stderr.write(
    `LEFT OUT, because this machine has no Rust: ${leftOut.join(", ")}\n` +
      "  To have them too: install Rust 1.95 or newer with rustup, then npm start again.\n",
  );
  const left = chosen.filter((manifest) => !needsRust(manifest));
  if (left.length > 0) return left;
  throw new BenchError({
    stage: "setup",
    code: "missing-tool",
    message: "no adapter is left to run",
    hint: "Install Rust 1.95 or newer with rustup, or choose other adapters.",
  });
}

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const all = await discoverAdapters(SERVERS_DIR);
  const chosen = leaveOutUnbuildable(selectAdapters(all, command.opts<Flags>()));
  await buildWithProgress(chosen, { signal });
  const filter = chosen.length === all.length ? [] : ["--only", chosen.map(({ id }) => id).join(",")];
  return await runLoad(["--runtime-mode", "quick", ...filter]);
});
