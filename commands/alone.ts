/**
 * `node commands/run.mjs commands/alone.ts SCRIPT [argument …]`: runs a script that changes what is measured, while
 * nothing is measured. Two changes of one checkout don't wait for each other: whoever comes second should look first.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import path from "node:path";
import { BenchError } from "../harness/errors.ts";
import { describeError, EXIT_FAILED, exitCodeOf } from "../harness/exit.ts";
import { withLock } from "../harness/lock.mjs";
import { PROJECT_ROOT } from "../harness/project.ts";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function wait(): void {
  process.stderr.write("A measurement is running on this machine; waiting for it to end.\n");
}

function refuse(): never {
  throw new BenchError({
    stage: "setup",
    code: "busy",
    message: `another change of what is measured is going on in ${PROJECT_ROOT}`,
    hint: "See what it has done when it has ended, then start this again if it is still wanted.",
  });
}

/** @returns the script's exit code */
async function runScript([script = "", ...args]: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [path.join(PROJECT_ROOT, script), ...args], { stdio: "inherit" });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // As shells give the exit code of what a signal has ended.
    return code ?? (signal === null ? EXIT_FAILED : 128 + constants.signals[signal]);
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

try {
  const run = () => runScript(process.argv.slice(2));
  process.exitCode = await withLock(`change ${PROJECT_ROOT}`, refuse, () =>
    withLock("measurement", wait, run),
  );
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
