/** `pnpm serve ID`: one adapter's server run by hand, until Ctrl-C. */
import { once } from "node:events";
import { Command, InvalidArgumentError, Option } from "commander";
import { readBuilt } from "../harness/build.ts";
import { positiveInteger, runCli, selectAdapters } from "../harness/cli.ts";
import { EXIT_DONE } from "../harness/exit.ts";
import { launchServer } from "../harness/launch.ts";
import { discoverAdapters } from "../harness/manifest.ts";
import { markRun } from "../harness/mark.ts";
import { SERVERS_DIR } from "../harness/project.ts";
import { type ResponseMode, responseModeSchema } from "../report/schema.ts";

const LAST_PORT = 65_535;

const EXAMPLES = `
Examples:
  npm run serve -- ID
  npm run serve -- ID --response-mode complete --port 8080`;

const command = new Command("serve")
  .description("Runs one adapter's production server on the loopback address and prints where.")
  .argument("<id>", "the adapter")
  .addOption(new Option("--response-mode <mode>").choices(responseModeSchema.options).default("progressive"))
  .option("--port <n>", "the port (default: a free one)", portNumber)
  .addHelpText("after", EXAMPLES)
  .allowExcessArguments(false);

function portNumber(value: string): number {
  const port = positiveInteger(value);
  if (port > LAST_PORT) throw new InvalidArgumentError(`It must be at most ${LAST_PORT}.`);
  return port;
}

process.exitCode = await runCli(command, process.argv.slice(2), async (signal) => {
  const [id] = command.processedArgs as [string];
  const flags: { responseMode: ResponseMode; port?: number } = command.opts();
  const [manifest] = selectAdapters(await discoverAdapters(SERVERS_DIR), { only: [id] });
  if (manifest === undefined) throw new TypeError("a selection is never empty");
  await readBuilt(manifest);
  await using mark = markRun();
  const port = flags.port === undefined ? {} : { port: flags.port };
  const server = await launchServer({ manifest, mode: flags.responseMode, cpu: null, mark, signal, ...port });
  try {
    process.stdout.write(
      `${manifest.displayName}, ${flags.responseMode}: http://${server.target.host}:${server.target.port}/ (Ctrl-C ends it)\n`,
    );
    const end = AbortSignal.any([signal, server.gone]);
    if (!end.aborted) await once(end, "abort");
    if (!signal.aborted) server.gone.throwIfAborted();
    return EXIT_DONE;
  } finally {
    await server.stop();
  }
});
