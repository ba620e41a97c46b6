/**
 * `node commands/run.mjs commands/alone.ts SCRIPT [argument …]`: runs a script that changes what is measured, while
 * nothing measures and no other such script runs. It refuses instead of waiting, so that nobody's change comes late.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { BenchError } from "../harness/errors.ts";
import { describeError, EXIT_FAILED, exitCodeOf } from "../harness/exit.ts";
import { withLock } from "../harness/lock.mjs";
import { PROJECT_ROOT } from "../harness/project.ts";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function refuse(): never {
  throw new BenchError({
    stage: "setup",
    code: "busy",
    message: "a measurement, or another change of what is measured, is running on this machine",
    hint: "Start this again when that has ended.",
  });
}

/** @returns the script's exit code */
async function runScript([script = "", ...args]: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [path.join(PROJECT_ROOT, script), ...args], { stdio: "inherit" });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const [code] = await once(child, "exit");
    return code ?? EXIT_FAILED;
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

try {
  process.exitCode = await withLock("measurement", refuse, () => runScript(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
