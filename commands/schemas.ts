/** Writes the published JSON Schemas anew: `node commands/schemas.ts`. Needed after a change to `report/schema.ts`. */
import path from "node:path";
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { EXIT_DONE } from "../harness/exit.ts";
import { writeAtomically } from "../harness/files.ts";
import { PROJECT_ROOT } from "../harness/project.ts";
import { publishedSchemas, schemaText } from "../report/json-schemas.ts";

const program = new Command("schemas").description(
  "Writes the JSON Schemas in schemas/ anew from the types that the code uses.",
);

process.exitCode = await runCli(program, process.argv.slice(2), async () => {
  for (const [name, schema] of publishedSchemas()) {
    const file = path.join(PROJECT_ROOT, "schemas", name);
    await writeAtomically(file, schemaText(schema));
    process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
  }
  return EXIT_DONE;
});
