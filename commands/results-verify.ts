/** Reads reports and holds them against their own raw readings: `npm run results:verify -- FILE…`. */
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { type VerifiedReport, verifyReport } from "../report/any-report.ts";

const EXAMPLES = `
Examples:
  npm run results:verify -- results/ssr-todo-official.json
  npm run results:verify -- --json results/*.json

Exit codes: 0 every report holds, 1 one of them doesn't, 2 wrong use.
What this can't show is in docs/what-verification-cannot-show.md.`;

/** What was found of one file. */
interface Checked extends VerifiedReport {
  readonly file: string;
}

const program = new Command("results-verify")
  .description("Checks reports against their schema and recomputes their rows from the raw readings.")
  .argument("<files...>", "the report files")
  .option("--json", "one JSON object for each file, a line each, on stdout", false)
  .addHelpText("after", EXAMPLES);

process.exitCode = await runCli(program, process.argv.slice(2), async (signal) => {
  const { json } = program.opts<{ json: boolean }>();
  let broken = 0;
  for (const file of program.args) {
    signal.throwIfAborted();
    const checked = await check(file);
    if (checked.problems.length > 0) broken += 1;
    process.stdout.write(`${json ? asJson(checked) : asText(checked)}\n`);
  }
  return broken === 0 ? EXIT_DONE : EXIT_FAILED;
});

async function check(file: string): Promise<Checked> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const seen =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : (error as Error).message;
    return { file, report: null, problems: [{ rule: "file", expected: "a report that can be read", seen }] };
  }
  return { file, ...verifyReport(text) };
}

function asJson({ file, report, problems }: Checked): string {
  return JSON.stringify({ file, ok: problems.length === 0, readable: report !== null, problems });
}

function asText({ file, report, problems }: Checked): string {
  if (problems.length === 0 && report !== null) {
    const { kind, runtimeMode, responseMode, status, rows, visits } = report;
    return `${file}: right (${kind}, ${runtimeMode}, ${responseMode}, ${status}; ${rows.length} rows from ${visits.length} visits)`;
  }
  const lines = problems.map(({ rule, expected, seen }) => `  ${rule}: expected ${expected}; seen ${seen}`);
  return [`${file}: ${problems.length} ${problems.length === 1 ? "problem" : "problems"}`, ...lines].join(
    "\n",
  );
}
