/** `npm run check`: format, lint and types; changes nothing. */
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { runStages } from "./stages.ts";
import { CHECK_STAGES } from "./test-stages.ts";

const command = new Command("check").description(
  "Checks format, lint and types. To mend the format: npm run format",
);

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const { failed } = await runStages(CHECK_STAGES, signal);
  return failed === 0 ? EXIT_DONE : EXIT_FAILED;
});
