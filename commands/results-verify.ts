/**
 * Reads reports and holds them against their own raw readings: `npm run results:verify -- FILE…`; or a whole publication,
 * with its summaries: `npm run results:verify -- DIR`.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { readInputs, readSummaries } from "../harness/publication.ts";
import { type AnyReport, verifyReport } from "../report/any-report.ts";
import { readSummary } from "../report/publication/read.ts";
import { verifyPublication } from "../report/publication/verify.ts";
import type { Problem } from "../report/schema.ts";

const EXAMPLES = `
Examples:
  npm run results:verify -- results/ssr-todo-official.json
  npm run results:verify -- --json results/*.json
  npm run results:verify -- results            a publication: reports, summaries, and that they belong together

Exit codes: 0 every report holds, 1 one of them doesn't, 2 wrong use.
What this can't show is in docs/what-verification-cannot-show.md.`;

const SUMMARY_ALONE = "ssr-summary, by its schema; name its folder to hold it against its reports";
/** What the reader says of a text that isn't meant to be a summary. */
const NO_SUMMARY: ReadonlySet<string> = new Set(["kind", "not-json", "cut-short"]);

/** What was found of one file. */
interface Checked {
  readonly file: string;
  /** What it is, in a few words; null where it can't be read. */
  readonly kind: string | null;
  readonly problems: readonly Problem[];
}

const program = new Command("results-verify")
  .description(
    "Checks reports against their schema and recomputes their rows from the raw readings; in a folder also the summaries that were made of them.",
  )
  .argument("<files...>", "report files, or folders with what is published")
  .option("--json", "one JSON object for each file, a line each, on stdout", false)
  .addHelpText("after", EXAMPLES);

process.exitCode = await runCli(program, process.argv.slice(2), async (signal) => {
  const { json } = program.opts<{ json: boolean }>();
  let broken = 0;
  for (const file of program.args) {
    signal.throwIfAborted();
    for (const checked of (await isFolder(file)) ? await checkFolder(file) : [await check(file)]) {
      if (checked.problems.length > 0) broken += 1;
      process.stdout.write(`${json ? asJson(checked) : asText(checked)}\n`);
    }
  }
  return broken === 0 ? EXIT_DONE : EXIT_FAILED;
});

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() ?? false;
}

/** Every file of the publication in `folder`, with what was found wrong with it. */
async function checkFolder(folder: string): Promise<Checked[]> {
  const [inputs, summaries] = [await readInputs(folder), await readSummaries(folder)];
  if (inputs.length + summaries.length === 0) {
    const seen = "none of them";
    return [
      {
        file: folder,
        kind: null,
        problems: [{ rule: "files", expected: "reports or summaries under their published names", seen }],
      },
    ];
  }
  const problems = verifyPublication(inputs, summaries);
  const of = (name: string) => problems.filter(({ file }) => file === name);
  return [
    ...inputs.map(({ name, verified }) => ({
      file: path.join(folder, name),
      kind: describeReport(verified.report),
      problems: of(name),
    })),
    ...summaries.map(({ name }) => ({
      file: path.join(folder, name),
      kind: "ssr-summary",
      problems: of(name),
    })),
  ];
}

async function check(file: string): Promise<Checked> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const seen =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : (error as Error).message;
    return { file, kind: null, problems: [{ rule: "file", expected: "a report that can be read", seen }] };
  }
  const summary = readSummary(text);
  if (summary.ok) return { file, kind: SUMMARY_ALONE, problems: [] };
  // A summary that isn't right says by its own schema what is wrong with it.
  if (!summary.problems.some(({ rule }) => NO_SUMMARY.has(rule))) return { file, kind: null, ...summary };
  const { report, problems } = verifyReport(text);
  return { file, kind: describeReport(report), problems };
}

function describeReport(report: AnyReport | null): string | null {
  if (report === null) return null;
  const { kind, runtimeMode, responseMode, status, rows, visits } = report;
  return `${kind}, ${runtimeMode}, ${responseMode}, ${status}; ${rows.length} rows from ${visits.length} visits`;
}

function asJson({ file, kind, problems }: Checked): string {
  return JSON.stringify({ file, ok: problems.length === 0, readable: kind !== null, problems });
}

function asText({ file, kind, problems }: Checked): string {
  if (problems.length === 0) return `${file}: right (${kind})`;
  const lines = problems.map(({ rule, expected, seen }) => `  ${rule}: expected ${expected}; seen ${seen}`);
  return [`${file}: ${problems.length} ${problems.length === 1 ? "problem" : "problems"}`, ...lines].join(
    "\n",
  );
}
