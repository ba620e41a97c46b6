/** `npm run new-adapter -- ID`: a folder that runs and keeps the contract, to be made into one's own. */
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { runCli } from "../harness/cli.ts";
import { BenchError } from "../harness/errors.ts";
import { EXIT_DONE } from "../harness/exit.ts";
import { exists } from "../harness/files.ts";
import { manifestSchema, parseManifest } from "../harness/manifest.ts";
import { SERVERS_DIR } from "../harness/project.ts";
import { ensureSetUp } from "./setup.mjs";

const TEMPLATE = path.join(SERVERS_DIR, "_template");
/** What only a build or an install puts there. */
const MADE = new Set(["node_modules", "dist"]);

const EXAMPLES = `
Examples:
  npm run new-adapter -- my-framework
  npm run new-adapter -- my-framework --display-name "My Framework"

docs/adding-an-adapter.md says what to do next.`;

const command = new Command("new-adapter")
  .description("Makes servers/ID: an adapter that builds, runs and keeps the contract.")
  .argument("<id>", "lowercase letters, digits and hyphens, a letter first")
  .option("--display-name <name>", "what people read (default: the id)")
  .addHelpText("after", EXAMPLES);

process.exitCode = await runCli(command, process.argv.slice(2), async () => {
  const [id] = command.processedArgs as [string];
  const { displayName = id } = command.opts<{ displayName?: string }>();
  const folder = path.join(SERVERS_DIR, id);
  await refuseBadId(id, folder);
  await cp(TEMPLATE, folder, { recursive: true, filter: (source) => !MADE.has(path.basename(source)) });
  await edit(path.join(folder, "adapter.json"), { id, displayName });
  await edit(path.join(folder, "package.json"), { name: `@servers/${id}` });
  parseManifest(await readFile(path.join(folder, "adapter.json"), "utf8"), folder);
  process.stdout.write(`made ${path.relative(process.cwd(), folder)}\n`);
  // The new package has to be in the lockfile before anything else runs.
  const exitCode = await ensureSetUp({ updateLockfile: true });
  if (exitCode === EXIT_DONE) process.stdout.write(nextSteps(id));
  return exitCode;
});

/** @throws BenchError `usage` */
async function refuseBadId(id: string, folder: string): Promise<void> {
  const usage = (message: string, hint: string): BenchError =>
    new BenchError({ stage: "setup", code: "usage", message, hint });
  if (!manifestSchema.shape.id.safeParse(id).success) {
    throw usage(
      `"${id}" can't be an adapter's id`,
      "Use lowercase letters, digits and hyphens, a letter first.",
    );
  }
  if (await exists(folder))
    throw usage(`${folder} is there already`, "Choose another id, or remove the folder.");
}

async function edit(file: string, fields: Readonly<Record<string, string>>): Promise<void> {
  let text = await readFile(file, "utf8");
  for (const [name, value] of Object.entries(fields)) {
    text = text.replace(new RegExp(`("${name}": )"[^"]*"`), (_, start) => `${start}${JSON.stringify(value)}`);
  }
  await writeFile(file, text);
}

function nextSteps(id: string): string {
  return [
    "Next:",
    `  npm run build -- --only ${id}`,
    `  npm run verify -- --only ${id}`,
    `  npm run serve -- ${id}`,
    `Then give servers/${id}/adapter.json its homepage and the package that versionFrom names.`,
    "",
  ].join("\n");
}
