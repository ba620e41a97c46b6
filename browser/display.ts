/** Where a headed browser shows its page: the display that is there, or a virtual one that is started for the run. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { execa } from "execa";
import { BenchError } from "../harness/errors.ts";
import type { RunMark } from "../harness/mark.ts";
import { findProgram } from "../harness/tools.ts";
import { askXServer } from "../harness/x-server.ts";
import type { BrowserStack } from "../report/browser/schema.ts";

/** A window with a page of 1440 × 900 in it, and its frame and bars, has room on it. */
const SCREEN = "1920x1200x24";
const START_LIMIT_MS = 10_000;
/** Kept of what Xvfb says, for the case that it doesn't start. */
const LAST_CHARACTERS = 2_000;

export interface Display extends AsyncDisposable {
  /** What a browser needs in its environment to find it. */
  readonly env: Readonly<Record<string, string>>;
  readonly facts: BrowserStack["display"];
  /** Aborts with a BenchError `display-gone` when a display that was started here ends before it was told to. */
  readonly gone: AbortSignal;
  /** A BenchError `display-gone` where nothing answers there any more; null where all is well, or there is none. */
  lost(): Promise<BenchError | null>;
}

/**
 * The display that `DISPLAY` names, where something answers there; else a virtual one, which ends when it is disposed
 * of, or with its run. For a headless browser there is none.
 * @throws BenchError `no-display` where there is none and Xvfb isn't installed or doesn't start
 */
export async function openDisplay(headed: boolean, mark: RunMark): Promise<Display> {
  if (!headed) return presentDisplay({ kind: "headless", description: "none" }, {}, async () => null);
  const named = process.env.DISPLAY;
  if (named && (await askXServer(named)).status === "there") {
    const { XAUTHORITY } = process.env;
    const env = { DISPLAY: named, ...(XAUTHORITY ? { XAUTHORITY } : {}) };
    return presentDisplay({ kind: "present", description: named }, env, () => lostDisplay(named));
  }
  return await startVirtual(mark);
}

function presentDisplay(facts: Display["facts"], env: Display["env"], lost: Display["lost"]): Display {
  const { signal: gone } = new AbortController();
  return { env, facts, gone, lost, [Symbol.asyncDispose]: async () => undefined };
}

async function lostDisplay(named: string): Promise<BenchError | null> {
  return (await askXServer(named)).status === "there"
    ? null
    : displayGone(`no display answers at ${named} any more`);
}

async function startVirtual(mark: RunMark): Promise<Display> {
  const file = findProgram("Xvfb");
  if (file === null) throw noDisplay("DISPLAY names none that answers, and Xvfb isn't installed");
  const child = execa(file, ["-displayfd", "3", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: mark.env,
    buffer: false,
    // A terminal's Ctrl-C is the run's to handle; the browser would lose its display before it is told to end.
    detached: true,
    reject: false,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    said = `${said}${piece}`.slice(-LAST_CHARACTERS);
  });
  const gone = new AbortController();
  let ending = false;
  child.then(({ exitCode, signal }) => {
    if (!ending)
      gone.abort(displayGone(`the virtual display ended by itself (${signal ?? `exit code ${exitCode}`})`));
  });
  const end = async (): Promise<void> => {
    ending = true;
    child.kill("SIGTERM");
    await child;
  };
  try {
    const named = `:${await firstLine(child.stdio[3] as Readable, gone.signal)}`;
    const server = await askXServer(named);
    const release = server.status === "there" ? server.release : null;
    return {
      env: { DISPLAY: named },
      facts: { kind: "virtual", description: `${SCREEN}, Xvfb ${release ?? "of an unknown release"}` },
      gone: gone.signal,
      lost: () => lostDisplay(named),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw noDisplay(`Xvfb didn't start: ${lastLine(said) ?? (error as Error).message}`, error);
  }
}

/** Of what an X server says: it marks errors, and ends with such a mark alone. */
function lastLine(said: string): string | undefined {
  const lines = said.replaceAll("(EE)", "").split("\n");
  return lines.map((line) => line.trim()).findLast((line) => line !== "");
}

/** The display's number, once it takes clients. */
async function firstLine(output: Readable, gone: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(START_LIMIT_MS)]);
  const [line] = (await once(createInterface(output), "line", { signal })) as [string];
  return line.trim();
}

function noDisplay(message: string, cause?: unknown): BenchError {
  return new BenchError({
    stage: "setup",
    code: "no-display",
    message: `no display for a headed browser: ${message}`,
    hint: "Install Xvfb (Debian: sudo apt-get install xvfb), set DISPLAY, or use --headless for a run that isn't official.",
    cause,
  });
}

function displayGone(message: string): BenchError {
  return new BenchError({
    stage: "start",
    code: "display-gone",
    message,
    hint: "Run it again; where it stays so, look for what ends it: memory is the usual cause.",
  });
}
