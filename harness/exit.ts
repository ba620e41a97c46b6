/**
 * What a command ends with. The one place where an error becomes an exit code; elsewhere an error stops being one only
 * in `runner/visit.ts` and `browser/visit.ts`, which make a failed visit of it, and in `commands/self/run.ts`, a failed
 * benchmark.
 */
import { styleText } from "node:util";
import { CommanderError } from "commander";
import { BenchError, ERROR_CODES } from "./errors.ts";

export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** The exit code for anything thrown: 2 for wrong use, 130 for Ctrl-C, 1 for the rest; 0 for `--help`. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof BenchError) return ERROR_CODES[error.code];
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_DONE : EXIT_USAGE;
  return EXIT_FAILED;
}

/**
 * What a person reads on stderr about an error: what happened and the next thing to do. A stack follows only where
 * `DEBUG` is set, or where the error is not one that the suite throws on purpose. Coloured for a terminal only.
 */
export function describeError(error: unknown, debug: boolean = Boolean(process.env.DEBUG)): string {
  const mark = styleText("red", "error:", { stream: process.stderr });
  if (error instanceof BenchError) {
    const lines = [`${mark} ${error.message}`, `  ${error.hint}`];
    if (debug) lines.push(stackOf(error));
    return lines.join("\n");
  }
  return `${mark} ${stackOf(error)}\n  This is a fault of the suite itself: please report it with the lines above.`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by: ${stackOf(error.cause)}`;
}
