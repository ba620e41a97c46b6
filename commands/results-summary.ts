/** `npm run results:summary`: clean, official, verified reports, and nothing else, into what is published. */
import path from "node:path";
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE, EXIT_FAILED } from "../harness/exit.ts";
import { writeAtomically } from "../harness/files.ts";
import { discoverAdapters } from "../harness/manifest.ts";
import { PROJECT_ROOT, RESULTS_DIR, SERVERS_DIR } from "../harness/project.ts";
import { readInputs } from "../harness/publication.ts";
import { readSource } from "../harness/source.ts";
import type { Blocker, Publisher } from "../report/publication/blockers.ts";
import { type Publication, publish } from "../report/publication/publish.ts";
import { CONTRACT_VERSION } from "../todo/contract/data.ts";

const EXAMPLES = `
Examples:
  npm run results:summary
  npm run results:summary -- --results DIR     of reports in another folder, which also gets the summaries
  npm run --silent results:summary -- --json

It needs ssr-todo-official.json and ssr-todo-browser-outcomes-official.json for benchmark-summary.json, and
ssr-todo-official-complete.json for benchmark-summary-complete.json; npm run bench:official makes them all.

Exit codes: 0 both summaries are written; 1 something blocks one of them, and all of it is listed; 2 wrong use.`;

interface Flags {
  results: string;
  json?: true;
}

const command = new Command("results:summary")
  .description("Writes the published summaries of official reports, recomputed from their raw readings.")
  .option("--results <dir>", "the folder of the reports", RESULTS_DIR)
  .option("--json", "one JSON object on stdout")
  .addHelpText("after", EXAMPLES)
  .allowExcessArguments(false);

process.exitCode = await runCli(command, process.argv.slice(2), async () => {
  const flags: Flags = command.opts();
  const folder = path.resolve(flags.results);
  const publications = publish(await readInputs(folder), await readPublisher());
  for (const publication of publications) {
    if (publication.status === "blocked") continue;
    await writeAtomically(path.join(folder, publication.name), publication.text);
  }
  process.stdout.write(
    flags.json ? `${JSON.stringify(publications.map(told))}\n` : describe(publications, folder),
  );
  return publications.every(({ status }) => status === "published") ? EXIT_DONE : EXIT_FAILED;
});

async function readPublisher(): Promise<Publisher> {
  const manifests = await discoverAdapters(SERVERS_DIR);
  const { digest } = await readSource(PROJECT_ROOT);
  return {
    sourceDigest: digest,
    contractVersion: CONTRACT_VERSION,
    adapters: manifests.map(({ id }) => id).sort(),
  };
}

/** For a machine: what was decided, without the text, which is in its file. */
function told(publication: Publication): object {
  const { name, status } = publication;
  return status === "blocked" ? { name, status, blockers: publication.blockers } : { name, status };
}

function describe(publications: readonly Publication[], folder: string): string {
  const blocked = publications.filter((one) => one.status === "blocked");
  const reasons = [...new Set(blocked.flatMap(({ blockers }) => blockers.map(line)))];
  return [
    ...publications.map(({ name, status }) =>
      status === "published" ? `written: ${path.join(folder, name)}` : `${name}: blocked, not written`,
    ),
    ...(reasons.length === 0
      ? []
      : [`${reasons.length} ${reasons.length === 1 ? "reason" : "reasons"}:`, ...reasons]),
    "",
  ].join("\n");
}

function line({ code, file, message }: Blocker): string {
  return `  ${file} (${code}): ${message}`;
}
