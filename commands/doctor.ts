/** `npm run doctor`: what the suite needs of this machine, and what is missing. */
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { type Check, examine } from "../harness/doctor.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";

const EXAMPLES = `
Examples:
  npm run doctor
  npm run --silent doctor -- --json

Exit codes: 0 nothing that is needed is missing; 1 something is; 2 wrong use.`;

const MARKS = { ok: "ok", note: "note", missing: "MISSING" } as const;

const command = new Command("doctor")
  .description("Lists each prerequisite with its version, or what is missing and how to get it.")
  .option("--json", "one JSON array on stdout")
  .addHelpText("after", EXAMPLES);

process.exitCode = await runCli(command, process.argv.slice(2), async () => {
  const checks = await examine();
  const asJson = command.opts<{ json?: true }>().json === true;
  process.stdout.write(asJson ? `${JSON.stringify(checks, null, 2)}\n` : describe(checks));
  return checks.some(isFatal) ? EXIT_FAILED : EXIT_DONE;
});

function isFatal({ needed, status }: Check): boolean {
  return needed && status === "missing";
}

function describe(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(
    ({ name, status, found }) => `${MARKS[status].padEnd(8)} ${name.padEnd(width)}  ${found}`,
  );
  const hints = checks.filter(({ hint }) => hint !== null).map(({ name, hint }) => `  ${name}: ${hint}`);
  if (hints.length > 0) lines.push("", "To do or to know:", ...hints);
  const fatal = checks.filter(isFatal).map(({ name }) => name);
  lines.push("", fatal.length === 0 ? "Nothing that is needed is missing." : `Missing: ${fatal.join(", ")}.`);
  return `${lines.join("\n")}\n`;
}
