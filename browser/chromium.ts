/** One fresh Chromium process with one page in it, and what the page's own renderer is. */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, type CDPSession, chromium, errors, type Page } from "playwright-core";
import { findChromium, OLDEST_CHROMIUM } from "../harness/chromium.ts";
import { BenchError } from "../harness/errors.ts";
import type { RunMark } from "../harness/mark.ts";
import { isAtLeast, versionOf } from "../harness/versions.ts";
import type { BrowserPlan, BrowserStack } from "../report/browser/schema.ts";
import type { Display } from "./display.ts";

const CLOSE_LIMIT_MS = 10_000;
/** Paths and addresses of one process: they differ every time, and name folders of the machine. */
const PRIVATE_SWITCHES = /^--(?:user-data-dir|remote-debugging-\w+|crash-\w+)/;
const CERTIFICATE_SWITCH = "--ignore-certificate-errors-spki-list=";

export interface BrowserOptions {
  readonly display: Display;
  readonly plan: Pick<BrowserPlan, "headed" | "viewport">;
  /** Of the one certificate that is accepted without an authority. */
  readonly spkiHash: string;
  readonly mark: RunMark;
}

export interface OpenBrowser extends AsyncDisposable {
  readonly page: Page;
  /** Of the page. */
  readonly cdp: CDPSession;
  readonly facts: Pick<BrowserStack, "version" | "source" | "switches">;
  /**
   * Aborts when the browser or the page's renderer ends before it was told to: with a BenchError `browser-gone`, or
   * `display-gone` where the display went first.
   */
  readonly gone: AbortSignal;
  /**
   * Waits for `gone` where the page isn't there any more: what is asked of it fails sooner than the reason is known.
   */
  whetherGone(): Promise<void>;
  /** The process that renders the page as it is now; a navigation to another site may have changed it. */
  rendererPid(): Promise<number>;
}

/**
 * By what the program says of itself: one that is too old may not even start under a driver of today.
 * @throws BenchError `no-browser`, `browser-too-old`
 */
export async function assertChromium(): Promise<void> {
  const found = findChromium();
  if (found === null) throw noBrowser(missingBrowser());
  const version = await versionOf(found.file);
  if (version === null) throw noBrowser(`${found.file} doesn't tell its version`);
  if (!isAtLeast(version, OLDEST_CHROMIUM)) throw tooOld(found.file, version);
}

/**
 * Starts the browser with a profile of its own, which goes with it.
 * @throws BenchError `no-browser`; `browser-gone` or `display-gone` where it doesn't start
 */
export async function launchBrowser(options: BrowserOptions): Promise<OpenBrowser> {
  const found = findChromium();
  if (found === null) throw noBrowser(missingBrowser());
  const browser = await start(found.file, options);
  try {
    return await open(browser, found.source, options);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function start(file: string, { display, plan, spkiHash, mark }: BrowserOptions): Promise<Browser> {
  const { PATH = "", HOME = "/" } = process.env;
  try {
    return await chromium.launch({
      executablePath: file,
      headless: !plan.headed,
      args: [`${CERTIFICATE_SWITCH}${spkiHash}`],
      // Chromium refuses to run as root with its sandbox.
      chromiumSandbox: process.getuid?.() !== 0,
      env: { PATH, HOME, LANG: "C.UTF-8", TZ: "UTC", ...display.env, ...mark.env },
      // Signals are the run's to handle: it ends the browser in its own order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const why = error instanceof errors.TimeoutError ? "it didn't answer in time" : firstLine(error.message);
    throw (await display.lost()) ?? browserGone("launch", `${file} didn't start: ${why}`, error);
  }
}

async function open(
  browser: Browser,
  source: BrowserStack["source"],
  { plan, display }: BrowserOptions,
): Promise<OpenBrowser> {
  const gone = new AbortController();
  let ending = false;
  let losing: Promise<void> | null = null;
  const lose = async (what: string): Promise<void> => {
    const lost = await display.lost();
    gone.abort(lost ?? browserGone("steps", browser.isConnected() ? what : "the browser ended by itself"));
  };
  const noteLoss = (what: string): void => {
    if (!ending) losing ??= lose(what);
  };
  browser.on("disconnected", () => noteLoss("the browser ended by itself"));
  const control = await browser.newBrowserCDPSession();
  const { processInfo } = await control.send("SystemInfo.getProcessInfo");
  const pid = processInfo.find(({ type }) => type === "browser")?.id;
  const { product } = await control.send("Browser.getVersion");
  const context = await browser.newContext({ viewport: plan.viewport, reducedMotion: null });
  const page = await context.newPage();
  page.on("crash", () => noteLoss("the page's renderer ended by itself"));
  page.on("close", () => noteLoss("the page was closed, and not by the run"));
  const cdp = await context.newCDPSession(page);
  return {
    page,
    cdp,
    facts: { version: product, source, switches: pid === undefined ? [] : switchesOf(pid) },
    gone: gone.signal,
    whetherGone: async () => {
      await losing;
    },
    rendererPid: () => readRendererPid(cdp),
    async [Symbol.asyncDispose]() {
      ending = true;
      await end(browser, pid);
    },
  };
}

/** The switches that the process really has, the defaults of what started it among them. */
function switchesOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8")
    .split("\0")
    .filter((word) => word.startsWith("--") && !PRIVATE_SWITCHES.test(word))
    .map((word) => (word.startsWith(CERTIFICATE_SWITCH) ? `${CERTIFICATE_SWITCH}(the front's own)` : word));
}

/**
 * By the tracing's own first event, which names each frame's process: a browser has renderers for its own surfaces
 * too, and which of them is the page's can't be told from outside.
 */
async function readRendererPid(cdp: CDPSession): Promise<number> {
  const started = Promise.withResolvers<number>();
  const complete = Promise.withResolvers<void>();
  const collect = ({ value }: { readonly value: readonly object[] }): void => {
    for (const event of value as readonly TraceEvent[]) {
      if (event.name !== "TracingStartedInBrowser") continue;
      const main = event.args.data?.frames?.find((frame) => frame.isOutermostMainFrame);
      if (main?.processId !== undefined) started.resolve(main.processId);
    }
  };
  const end = (): void => complete.resolve();
  cdp.on("Tracing.dataCollected", collect);
  cdp.on("Tracing.tracingComplete", end);
  try {
    await cdp.send("Tracing.start", {
      traceConfig: { includedCategories: ["disabled-by-default-devtools.timeline"] },
      transferMode: "ReportEvents",
    });
    await cdp.send("Tracing.end");
    await complete.promise;
    started.reject(browserGone("metrics", "the browser didn't say which process renders the page"));
    return await started.promise;
  } finally {
    cdp.off("Tracing.dataCollected", collect);
    cdp.off("Tracing.tracingComplete", end);
  }
}

/** Of a trace event, what is read here. */
interface TraceEvent {
  readonly name: string;
  readonly args: {
    readonly data?: {
      readonly frames?: readonly { readonly isOutermostMainFrame?: boolean; readonly processId?: number }[];
    };
  };
}

/** Closes it, and kills it where it doesn't close. */
async function end(browser: Browser, pid: number | undefined): Promise<void> {
  const limit = new AbortController();
  const late = delay(CLOSE_LIMIT_MS, "late" as const, { signal: limit.signal }).catch(
    () => "closed" as const,
  );
  try {
    const closing = browser.close();
    if ((await Promise.race([closing, late])) !== "late" || pid === undefined) return;
    killGroup(pid);
    await closing;
  } finally {
    limit.abort();
  }
}

/** It leads the group of its own processes. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The rest is Playwright's log, with a command line of a thousand characters in it. */
function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}

function missingBrowser(): string {
  const named = process.env.CHROMIUM_PATH;
  return named ? `CHROMIUM_PATH names no program: ${named}` : "there is no Chromium or Chrome";
}

function noBrowser(message: string): BenchError {
  return new BenchError({
    stage: "launch",
    code: "no-browser",
    message,
    hint: "Install one (Debian: sudo apt-get install chromium), or name one in CHROMIUM_PATH.",
  });
}

function tooOld(file: string, version: string): BenchError {
  return new BenchError({
    stage: "launch",
    code: "browser-too-old",
    message: `${file} is of version ${version}, which knows no declarative shadow DOM`,
    hint: `Install version ${OLDEST_CHROMIUM} or newer, or name one in CHROMIUM_PATH.`,
  });
}

function browserGone(stage: "launch" | "steps" | "metrics", message: string, cause?: unknown): BenchError {
  return new BenchError({
    stage,
    code: "browser-gone",
    message,
    hint: "Run it again; where it stays so, start the browser by hand and look at what it prints. Memory is the usual cause.",
    cause,
  });
}
