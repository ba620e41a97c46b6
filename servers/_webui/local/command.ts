/** The suite's own commands, run on this Node; a link that is interrupted leaves none of them behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { ROOT } from "./paths.ts";

/**
 * Runs a script of `commands/` while `work` is done with it, then ends it.
 *
 * @param output where its stdout goes; its stderr is the person's
 * @param signal ends it early
 * @returns what `work` returns
 * @throws the signal's reason, once the command has ended
 */
export async function withCommand<T>(
  [script, ...args]: readonly [string, ...string[]],
  output: "inherit" | "pipe",
  signal: AbortSignal,
  work: (command: ChildProcess, exited: Promise<number | null>) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const command = spawn(process.execPath, [path.join(ROOT, "commands", script), ...args], {
    stdio: ["ignore", output, "inherit"],
  });
  const exited = once(command, "exit").then(([code]) => code as number | null);
  const end = (): void => void command.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  try {
    return await work(command, exited);
  } finally {
    signal.removeEventListener("abort", end);
    end();
    await exited;
    signal.throwIfAborted();
  }
}
