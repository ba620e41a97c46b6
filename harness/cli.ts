/** What all commands share: flags parsed, Ctrl-C turned into an abort signal, errors into an exit code. */
import { type Command, InvalidArgumentError } from "commander";
import { closest, distance } from "fastest-levenshtein";
import { BenchError } from "./errors.ts";
import { describeError, EXIT_DONE, EXIT_FAILED, exitCodeOf } from "./exit.ts";
import type { AdapterManifest } from "./manifest.ts";

/** The exit code of a process that ended by a signal, as shells give it. */
const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type EndingSignal = keyof typeof SIGNAL_EXIT_CODES;

/**
 * Parses `argv` (without program and script) with `program`, which has options and arguments but no action, then
 * calls `run`; its options and arguments are then in `program.opts()` and `program.processedArgs`.
 *
 * @param run gets a signal that is aborted, with a BenchError `interrupted`, by SIGINT, SIGTERM, SIGHUP or a closed
 *   stdout; it releases what it holds and returns (or throws). Further signals change nothing, so that a second
 *   Ctrl-C leaves nothing behind. What it returns is the exit code, unless it was interrupted.
 * @returns the exit code: 0 done, 1 failed, 2 wrong use, 130 Ctrl-C. Never throws; errors are printed on stderr.
 */
export async function runCli(
  program: Command,
  argv: readonly string[],
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interruption = new AbortController();
  let interruptedCode: number | null = null;
  const interrupt = (why: string, exitCode: number): void => {
    if (interruption.signal.aborted) return;
    interruptedCode = exitCode;
    const reason = { stage: "setup", code: "interrupted", hint: "Start it again to go on." } as const;
    interruption.abort(new BenchError({ ...reason, message: why }));
  };
  const onSignal = (signal: EndingSignal) => interrupt(`interrupted by ${signal}`, SIGNAL_EXIT_CODES[signal]);
  const onOutputError = () => {
    if (interruption.signal.aborted) return;
    interrupt("whoever read the output went away", 1);
    // Nothing else tells: the person sent no signal, and what is said on stdout from here on nobody reads.
    report(interruption.signal.reason);
  };

  const signals = Object.keys(SIGNAL_EXIT_CODES) as EndingSignal[];
  for (const signal of signals) process.on(signal, onSignal);
  process.on("SIGXFSZ", leaveToTheWrite);
  if (!process.stdout.listeners("error").includes(ignoreClosedOutput)) {
    // Stays: the error of the last words comes when everything here is over.
    process.stdout.on("error", ignoreClosedOutput);
  }
  process.stdout.on("error", onOutputError);
  try {
    program.exitOverride().showHelpAfterError("Add --help for what there is.");
    program.parse(argv, { from: "user" });
    const exitCode = await run(interruption.signal);
    return interruptedCode ?? exitCode;
  } catch (error) {
    const exitCode = error === interruption.signal.reason ? null : report(error);
    return interruptedCode ?? exitCode ?? EXIT_FAILED;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    process.off("SIGXFSZ", leaveToTheWrite);
    process.stdout.off("error", onOutputError);
  }
}

/** A file beyond the limit of its size would end the process by signal; the write that meets it fails as well, and says so. */
function leaveToTheWrite(): void {}

/** @throws any other error of the output than that nobody reads it any more */
function ignoreClosedOutput(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** Commander has printed its own errors already. */
function report(error: unknown): number {
  const isCommanders = error instanceof Error && error.name === "CommanderError";
  const exitCode = exitCodeOf(error);
  if (!isCommanders && exitCode !== EXIT_DONE) process.stderr.write(`${describeError(error)}\n`);
  return exitCode;
}

/** Parses a flag's value that must be a whole number above 0. */
export function positiveInteger(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number === 0) {
    throw new InvalidArgumentError("It must be a whole number above 0.");
  }
  return number;
}

/** Parses a flag's value that must be a whole number, 0 included. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError("It must be a whole number, 0 or above.");
  }
  return number;
}

/** Parses a flag's value that must be a number above 0, such as seconds. */
export function positiveNumber(value: string): number {
  const number = Number(value);
  if (!/^\d*\.?\d+$/.test(value) || !Number.isFinite(number) || number <= 0) {
    throw new InvalidArgumentError("It must be a number above 0.");
  }
  return number;
}

/** Parses a flag's value that is names with commas between them. */
export function nameList(value: string): string[] {
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError("It must name at least one.");
  return names;
}

/**
 * The adapters that `--only` and `--skip` leave, in the order of `manifests`.
 *
 * @throws BenchError `unknown-adapter`, with the nearest right name; `usage` where nothing is left
 */
export function selectAdapters(
  manifests: readonly AdapterManifest[],
  filter: { readonly only?: readonly string[] | undefined; readonly skip?: readonly string[] | undefined },
): AdapterManifest[] {
  const ids = manifests.map((manifest) => manifest.id);
  for (const id of [...(filter.only ?? []), ...(filter.skip ?? [])]) {
    if (!ids.includes(id)) throw unknownAdapter(id, ids);
  }
  const left = manifests.filter(
    ({ id }) => (filter.only === undefined || filter.only.includes(id)) && !filter.skip?.includes(id),
  );
  if (left.length === 0) {
    throw new BenchError({
      stage: "plan",
      code: "usage",
      message: "--only and --skip leave no adapter",
      hint: `There are: ${ids.join(", ") || "none yet; make one with: npm run new-adapter -- ID"}`,
    });
  }
  return left;
}

/** What `--list` prints of the adapters, a line each: for a person, or JSON. Ends with a line break. */
export function adapterLines(manifests: readonly AdapterManifest[], json: boolean): string {
  const lines = manifests.map(({ id, displayName, runtime, homepage }) =>
    json
      ? JSON.stringify({ id, displayName, runtime, homepage })
      : `${id.padEnd(28)} ${displayName} (${runtime})`,
  );
  return `${lines.join("\n")}\n`;
}

function unknownAdapter(id: string, ids: readonly string[]): BenchError {
  const nearest = ids.length === 0 ? null : closest(id, [...ids]);
  const suggestion =
    nearest !== null && distance(id, nearest) <= Math.max(2, id.length / 2)
      ? `Did you mean ${nearest}? `
      : "";
  return new BenchError({
    stage: "plan",
    code: "unknown-adapter",
    message: `there is no adapter "${id}"`,
    hint: `${suggestion}There are: ${ids.join(", ") || "none yet"}`,
  });
}
