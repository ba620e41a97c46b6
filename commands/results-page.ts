/** `npm run results:page`: one HTML file of any reports and summaries that hold. */
import { createHash } from "node:crypto";
import path from "node:path";
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { BenchError } from "../harness/errors.ts";
import { EXIT_DONE } from "../harness/exit.ts";
import { exists, writeAtomically } from "../harness/files.ts";
import { RESULTS_DIR } from "../harness/project.ts";
import { readNamed, verifiedReport } from "../harness/read-verified.ts";
import { type PageInput, pageModel } from "../report/page/model.ts";
import { PAGE_SCRIPT, renderPage } from "../report/page/render.ts";
import { INPUT_NAMES, SUMMARY_NAMES } from "../report/publication/inputs.ts";
import { readSummary } from "../report/publication/read.ts";

const EXAMPLES = `
Examples:
  npm run results:page                                      of what is published in results/
  npm run results:page -- results/runs/mine.json --output mine.html

Without files it takes ${[...INPUT_NAMES, ...SUMMARY_NAMES].join(", ")},
as many of them as are in results/. A report that doesn't hold against its own readings is refused.

Exit codes: 0 written; 1 a file doesn't hold, and nothing is written; 2 wrong use.`;

interface Flags {
  output: string;
  json?: true;
}

const command = new Command("results:page")
  .description("Writes one self-contained HTML page of reports and summaries.")
  .argument("[files...]", "reports and summaries")
  .option("--output <file>", "the page", path.join(RESULTS_DIR, "index.html"))
  .option("--json", "one JSON object on stdout")
  .addHelpText("after", EXAMPLES);

process.exitCode = await runCli(command, process.argv.slice(2), async () => {
  const flags: Flags = command.opts();
  const files = command.args.length > 0 ? command.args : await publishedFiles();
  const inputs: PageInput[] = [];
  for (const file of files) inputs.push(await readInput(file));
  const scriptSha256 = createHash("sha256").update(PAGE_SCRIPT).digest("base64");
  const text = renderPage(pageModel(inputs), scriptSha256);
  const output = path.resolve(flags.output);
  await writeAtomically(output, text);
  const bytes = Buffer.byteLength(text);
  process.stdout.write(
    flags.json
      ? `${JSON.stringify({ output, bytes, inputs: inputs.map(({ file }) => file) })}\n`
      : `written: ${output} (${(bytes / 1024).toFixed(0)} KiB, of ${inputs.map(({ file }) => file).join(", ")})\n`,
  );
  return EXIT_DONE;
});

/** @throws BenchError `usage` where there is none */
async function publishedFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const name of [...INPUT_NAMES, ...SUMMARY_NAMES]) {
    const file = path.join(RESULTS_DIR, name);
    if (await exists(file)) found.push(file);
  }
  if (found.length > 0) return found;
  throw new BenchError({
    stage: "report",
    code: "usage",
    message: `nothing is published in ${RESULTS_DIR}`,
    hint: "Name the reports that the page is to be of, or make official ones: npm run bench:official",
  });
}

/** @throws BenchError `usage` where there is no such file, `bad-report` where it doesn't hold */
async function readInput(file: string): Promise<PageInput> {
  const text = await readNamed(file);
  const name = path.basename(file);
  const summary = readSummary(text);
  return { file: name, content: summary.ok ? summary.report : verifiedReport(file, text) };
}
