/** `npm test`: everything that says whether the suite is right, stage by stage. */
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { runStages } from "./stages.ts";
import { TEST_STAGES } from "./test-stages.ts";

const command = new Command("test").description(
  "Checks format, lint and types; runs all tests, builds every adapter, holds it to the contract and measures it briefly.",
);

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const { passed, failed } = await runStages(TEST_STAGES, signal);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return passed > 0 && failed === 0 ? EXIT_DONE : EXIT_FAILED;
});
