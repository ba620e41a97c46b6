/** `npm run results:compare -- A.json B.json`: what has changed from one report to another, where that can be said. */
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { readNamed, verifiedReport } from "../harness/read-verified.ts";
import { compare, type Side } from "../report/comparison/compare.ts";
import { formatComparison } from "../report/comparison/format.ts";

const EXAMPLES = `
Examples:
  node todo/runner/cli.mjs --only ID --rounds 10 --output before.json
  node todo/runner/cli.mjs --only ID --rounds 10 --output after.json
  npm run results:compare -- before.json after.json
  npm run --silent results:compare -- --markdown before.json after.json

Exit codes: 0 compared; 1 they don't compare, or one doesn't hold against its own readings; 2 wrong use.
docs/reports.md says what an interval is, and when there is none.`;

interface Flags {
  markdown?: true;
  json?: true;
}

const command = new Command("results:compare")
  .description("Compares two reports of the same contract, machine and kind of run, row by row.")
  .argument("<a>", "the report before")
  .argument("<b>", "the report after")
  .option("--markdown", "for a document or a comment")
  .option("--json", "one JSON object on stdout")
  .addHelpText("after", EXAMPLES)
  .allowExcessArguments(false);

process.exitCode = await runCli(command, process.argv.slice(2), async () => {
  const flags: Flags = command.opts();
  const [a, b] = command.processedArgs as [string, string];
  const comparison = compare(await readSide(a), await readSide(b));
  const format = flags.markdown ? "markdown" : process.stdout.isTTY ? "unicode" : "ascii";
  process.stdout.write(
    flags.json ? `${JSON.stringify(comparison)}\n` : formatComparison(comparison, { format }),
  );
  return comparison.status === "compared" ? EXIT_DONE : EXIT_FAILED;
});

/** @throws BenchError `usage` where there is no such file, `bad-report` where it doesn't hold */
async function readSide(name: string): Promise<Side> {
  return { name, report: verifiedReport(name, await readNamed(name)) };
}
