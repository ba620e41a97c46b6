/**
 * Writes the published JSON Schemas and their samples anew: `node commands/run.mjs commands/schemas.ts`. Needed after
 * a change to `report/schema.ts`.
 */
import path from "node:path";
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE } from "../harness/exit.ts";
import { writeAtomically } from "../harness/files.ts";
import { PROJECT_ROOT } from "../harness/project.ts";
import { publishedSchemas, schemaText } from "../report/json-schemas.ts";
import { sampleReports } from "../report/testing/samples.ts";

const SCHEMAS_DIR = path.join(PROJECT_ROOT, "schemas");

const program = new Command("schemas").description(
  "Writes the JSON Schemas in schemas/ anew from the types that the code uses, and their samples.",
);

process.exitCode = await runCli(program, process.argv.slice(2), async () => {
  for (const [name, schema] of publishedSchemas()) await write(name, schemaText(schema));
  for (const [name, report] of sampleReports()) {
    await write(path.join("samples", name), `${JSON.stringify(report, null, 1)}\n`);
  }
  return EXIT_DONE;
});

async function write(name: string, text: string): Promise<void> {
  const file = path.join(SCHEMAS_DIR, name);
  await writeAtomically(file, text);
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}
