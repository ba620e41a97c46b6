/** The real world behind a browser run: a display, a browser that has been tried, and the ports of its visits. */
import path from "node:path";
import type { BuiltAdapter } from "../harness/build.ts";
import { markRun, type RunMark } from "../harness/mark.ts";
import { RESULTS_DIR } from "../harness/project.ts";
import type { BrowserPlan, BrowserStack, BrowserStage } from "../report/browser/schema.ts";
import { assertChromium, launchBrowser } from "./chromium.ts";
import { type Display, openDisplay } from "./display.ts";
import { keepEvidence } from "./evidence.ts";
import { listenToPage } from "./log.ts";
import type { BrowserPorts } from "./on-product.ts";
import { preflight } from "./preflight.ts";
import { startProduct } from "./product.ts";
import { startFront } from "./proxy/front.ts";
import { checkReadyOf } from "./ready-check.ts";
import type { BrowserRunRequest } from "./run.ts";
import { visitInBrowser } from "./visit.ts";

export interface BrowserWorldOptions {
  readonly plan: BrowserPlan;
  readonly built: readonly BuiltAdapter[];
  readonly signal: AbortSignal;
}

/** What a run needs of the world: what it reports, and its two kinds of visits. */
export type BrowserWorld = Pick<BrowserRunRequest, "browser" | "checkReady" | "visit">;

/**
 * Runs `work` with a display and a browser that are known to do; whatever was started for it ends with it.
 * @throws BenchError `no-display`, `no-browser`, `browser-too-old`, `slow-display`, `hidden-page` before any visit
 */
export async function withBrowserWorld<T>(
  { plan, built, signal }: BrowserWorldOptions,
  work: (world: BrowserWorld) => Promise<T>,
): Promise<T> {
  await using mark = markRun();
  // A server that is stopped takes along whatever carries its mark, and the display has to outlive it.
  await using serverMark = markRun();
  await using display = await openDisplay(plan.headed, mark);
  const browser = await tryBrowser(plan, display, mark);
  signal.throwIfAborted();
  const byId = new Map(built.map((adapter) => [adapter.manifest.id, adapter]));
  const of = (adapter: string): BuiltAdapter => byId.get(adapter) as BuiltAdapter;
  const runName = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const ports = (onStage: (stage: BrowserStage) => void) =>
    realPorts({ plan, mark, serverMark, display, runName, onStage });
  return await work({
    browser,
    checkReady: (adapter, onStage) =>
      checkReadyOf({ built: of(adapter), plan, ports: ports(onStage), signal }),
    visit: (planned, onStage) =>
      visitInBrowser({ planned, built: of(planned.adapter), plan, ports: ports(onStage), signal }),
  });
}

/** Starts the browser once, shows a page, and ends it: what is wrong with either is known before the first visit. */
async function tryBrowser(plan: BrowserPlan, display: Display, mark: RunMark): Promise<BrowserStack> {
  await assertChromium();
  await using browser = await launchBrowser({ display, plan, spkiHash: "none", mark });
  await preflight(browser, plan.leastFramesPerSecond);
  return { ...browser.facts, display: display.facts };
}

/** What the ports of one visit are made of. */
export interface PortsOptions {
  readonly plan: BrowserPlan;
  /** Of the browsers. */
  readonly mark: RunMark;
  readonly serverMark: RunMark;
  readonly display: Display;
  /** Of the folder below `results/failures/`. */
  readonly runName: string;
  readonly onStage: (stage: BrowserStage) => void;
}

/** Processes, sockets and clocks. */
export function realPorts({ plan, mark, serverMark, display, runName, onStage }: PortsOptions): BrowserPorts {
  return {
    startProduct: (built, signal) =>
      startProduct({ built, mode: plan.responseMode, mark: serverMark, signal }),
    startFront,
    launchBrowser: (spkiHash) => launchBrowser({ display, plan, spkiHash, mark }),
    preflight: (browser) => preflight(browser, plan.leastFramesPerSecond),
    listen: ({ page, cdp }) => listenToPage(page, cdp),
    keepEvidence: (name, options) =>
      keepEvidence({ ...options, folder: path.join(RESULTS_DIR, "failures", runName, name) }),
    displayGone: display.gone,
    now: () => ({ wall: new Date(), monotonicMs: performance.now() }),
    onStage,
  };
}
