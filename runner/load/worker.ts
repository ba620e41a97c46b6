/**
 * A load worker: a process that `drive.ts` forks, pinned before it starts. It does what the driver's messages say, and
 * ends with its driver.
 */

import { assertNever } from "../../report/assert-never.ts";
import { loadClient } from "./autocannon.ts";
import { Generator } from "./generator.ts";
import { type Command, commandSchema, type WorkerMessage } from "./messages.ts";

function report(message: WorkerMessage): void {
  process.send?.(message);
}

function started(generator: Generator | null): Generator {
  if (generator === null) throw new Error("a load worker was told to go on before it was told to begin");
  return generator;
}

function obey(generator: Generator | null, command: Command): Generator {
  switch (command.kind) {
    case "begin":
      return new Generator(command, report);
    case "add":
      started(generator).add(command.connections);
      break;
    case "drop":
      started(generator).drop();
      break;
    case "record":
      started(generator).record(command);
      break;
    default:
      assertNever(command);
  }
  return started(generator);
}

function main(): void {
  // Before anything is promised: another autocannon is refused here, by name.
  loadClient();
  let generator: Generator | null = null;
  process.on("message", (message) => {
    generator = obey(generator, commandSchema.parse(message));
  });
  // The driver is gone, however it went: nobody would end this process.
  process.on("disconnect", () => process.exit(1));
  // A terminal's Ctrl-C reaches the whole group; the driver decides when its workers end.
  process.on("SIGINT", () => undefined);
  report({ kind: "ready" });
}

main();
