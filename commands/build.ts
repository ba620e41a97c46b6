/** `npm run build`: builds the adapters that aren't built from their present sources. */
import { Command } from "commander";
import { nameList, runCli, selectAdapters } from "../harness/cli.ts";
import { EXIT_DONE } from "../harness/exit.ts";
import { discoverAdapters } from "../harness/manifest.ts";
import { SERVERS_DIR } from "../harness/project.ts";
import { buildWithProgress } from "./build-progress.ts";

const EXAMPLES = `
Examples:
  npm run build
  npm run build -- --only ID,ID
  npm run build -- --force`;

interface Flags {
  readonly only?: string[];
  readonly skip?: string[];
  readonly force?: true;
}

const command = new Command("build")
  .description("Builds the adapters whose source has changed since they were built.")
  .option("--only <ids>", "adapters to build, with commas between them", nameList)
  .option("--skip <ids>", "adapters to leave out", nameList)
  .option("--force", "build also what is built already")
  .addHelpText("after", EXAMPLES);

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const { force = false, ...filter } = command.opts<Flags>();
  const manifests = selectAdapters(await discoverAdapters(SERVERS_DIR), filter);
  await buildWithProgress(manifests, { force, signal });
  return EXIT_DONE;
});
