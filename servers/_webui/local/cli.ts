/** `npm run webui:local`: measures a person's own WebUI in place of the released packages. */
import { Command, CommanderError, Option } from "commander";
import { LocalError } from "./errors.ts";
import { link, reset, status } from "./link.ts";

const HELP = `
Examples:
  npm run webui:local -- --path ../webui
  npm run webui:local -- --status
  npm run webui:local -- --reset

Nothing in the checkout is changed or built; docs/local-source.md says what it has to hold.
Exit codes: 0 done; 1 it can't be linked, doesn't compile, or has changed; 2 wrong use.`;

interface Flags {
  readonly path?: string;
  readonly status?: true;
  readonly reset?: true;
}

const command = new Command("webui:local")
  .description("Builds the WebUI adapters against a checkout of microsoft/webui.")
  .addOption(new Option("--path <folder>", "the checkout to link").conflicts(["status", "reset"]))
  .addOption(new Option("--status", "what is linked, and whether it is still as it was").conflicts("reset"))
  .option("--reset", "back to the registry's packages")
  .addHelpText("after", HELP)
  .allowExcessArguments(false)
  .exitOverride()
  .showHelpAfterError("Add --help for what there is.");

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** What ends it before its time, with the exit code that shells give for that. */
const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const interruption = new AbortController();
for (const [name, code] of Object.entries(ENDING)) {
  process.on(name, () => {
    const hint = "Go on with: npm run webui:local -- --path FOLDER, or undo it with --reset.";
    interruption.abort(new LocalError(`interrupted by ${name}`, hint, code));
  });
}

async function main(argv: readonly string[]): Promise<number> {
  const flags = command.parse(argv, { from: "user" }).opts<Flags>();
  if (flags.path !== undefined) await link(flags.path, say, interruption.signal);
  else if (flags.reset) await reset(say);
  else if (flags.status) return (await status(say)) ? 0 : 1;
  else
    throw new LocalError("neither --path, --status nor --reset is there", "Add --help for what there is.", 2);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Says what is wrong, unless commander has. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof LocalError)) throw error;
  process.stderr.write(`error: ${error.message}\n  ${error.hint}\n`);
  return error.exitCode;
}
