/** A product's page about to be opened: fresh server, front, browser and log, and the end of each, whatever happens. */
import type { BuiltAdapter } from "../harness/build.ts";
import type { BrowserPlan, BrowserStage } from "../report/browser/schema.ts";
import type { OpenBrowser } from "./chromium.ts";
import type { EvidenceOptions } from "./evidence.ts";
import type { PageLog } from "./log.ts";
import type { Product } from "./product.ts";
import type { Front, FrontTarget } from "./proxy/front.ts";
import type { StageClock } from "./stage-clock.ts";

/** The world, as narrow as a visit needs it; fakes of these test the order of the stages without a process. */
export interface BrowserPorts {
  startProduct(built: BuiltAdapter, signal: AbortSignal): Promise<Product>;
  startFront(target: FrontTarget): Promise<Front>;
  launchBrowser(spkiHash: string): Promise<OpenBrowser>;
  /** @returns frames a second. @throws BenchError `hidden-page`, `slow-display` */
  preflight(browser: OpenBrowser): Promise<number>;
  listen(browser: OpenBrowser): Promise<PageLog>;
  /** @param name below the run's folder. @returns where it is; null where it couldn't be kept */
  keepEvidence(name: string, options: Omit<EvidenceOptions, "folder">): Promise<string | null>;
  /** Aborts when the display is gone. */
  readonly displayGone: AbortSignal;
  now(): { readonly wall: Date; readonly monotonicMs: number };
  onStage(stage: BrowserStage): void;
}

export interface ProductRequest {
  readonly built: BuiltAdapter;
  readonly plan: BrowserPlan;
  readonly ports: BrowserPorts;
  readonly clock: StageClock;
  readonly signal: AbortSignal;
  /** Called once where `use` fails, while what is left of the browser is still there; not after an interruption. */
  onFailure(at: AtProduct, error: unknown): Promise<void>;
}

/** Everything that a page is opened with. */
export interface AtProduct {
  readonly browser: OpenBrowser;
  /** Of the front. */
  readonly origin: string;
  readonly log: PageLog;
  readonly framesPerSecond: number;
  readonly runtimeVersion: string;
}

/**
 * Runs `use` on a product. Where the server, the browser or the display dies meanwhile, that is what is thrown.
 * @throws BenchError of whatever couldn't be started; what `use` throws
 */
export async function onProduct<T>(
  request: ProductRequest,
  use: (opened: AtProduct) => Promise<T>,
): Promise<T> {
  const { built, ports, clock } = request;
  clock.begin("start");
  const gone = AbortSignal.any([request.signal, ports.displayGone]);
  const product = await startedUnder(gone, () => ports.startProduct(built, gone));
  try {
    return await behindFront(request, product, use);
  } catch (error) {
    clock.fail();
    throw error;
  } finally {
    clock.begin("stop");
    await product.stop();
  }
}

async function behindFront<T>(
  request: ProductRequest,
  product: Product,
  use: (opened: AtProduct) => Promise<T>,
): Promise<T> {
  const { ports, clock, signal } = request;
  clock.begin("launch");
  const before = AbortSignal.any([signal, product.gone, ports.displayGone]);
  await using front = await startedUnder(before, () => ports.startFront(product.target));
  await using browser = await startedUnder(before, () => ports.launchBrowser(front.spkiHash));
  const gone = AbortSignal.any([before, browser.gone]);
  try {
    clock.begin("preflight");
    const at = await unlessGone(gone, browser, async () => {
      const framesPerSecond = await ports.preflight(browser);
      const log = await ports.listen(browser);
      const { runtimeVersion } = product;
      return { browser, origin: front.origin, log, framesPerSecond, runtimeVersion };
    });
    return await useIt(request, at, () => unlessGone(gone, browser, () => use(at)));
  } catch (error) {
    clock.fail();
    throw error;
  } finally {
    clock.begin("close");
  }
}

async function useIt<T>(
  { clock, signal, onFailure }: ProductRequest,
  at: AtProduct,
  use: () => Promise<T>,
): Promise<T> {
  try {
    return await use();
  } catch (error) {
    clock.fail();
    if (!signal.aborted) await onFailure(at, error);
    throw error;
  }
}

/** What doesn't start while something else is gone doesn't start because of that. */
async function startedUnder<T>(gone: AbortSignal, start: () => Promise<T>): Promise<T> {
  gone.throwIfAborted();
  try {
    return await start();
  } catch (error) {
    throw gone.aborted ? gone.reason : error;
  }
}

/** What a dying server, browser or display does to the work is a consequence; that it died is the cause. */
async function unlessGone<T>(gone: AbortSignal, browser: OpenBrowser, work: () => Promise<T>): Promise<T> {
  gone.throwIfAborted();
  const overtaken = Promise.withResolvers<never>();
  const overtake = (): void => overtaken.reject(gone.reason);
  gone.addEventListener("abort", overtake, { once: true });
  try {
    const done = await Promise.race([work(), overtaken.promise]);
    await browser.whetherGone();
    gone.throwIfAborted();
    return done;
  } catch (error) {
    await browser.whetherGone();
    throw gone.aborted ? gone.reason : error;
  } finally {
    gone.removeEventListener("abort", overtake);
  }
}
