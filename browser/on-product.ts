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
  const { built, ports, clock, signal } = request;
  clock.begin("start");
  const product = await ports.startProduct(built, signal);
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
  { ports, clock, signal }: ProductRequest,
  product: Product,
  use: (opened: AtProduct) => Promise<T>,
): Promise<T> {
  clock.begin("launch");
  await using front = await ports.startFront(product.target);
  await using browser = await ports.launchBrowser(front.spkiHash);
  const gone = AbortSignal.any([signal, product.gone, browser.gone, ports.displayGone]);
  try {
    return await unlessGone(gone, async () => {
      clock.begin("preflight");
      const framesPerSecond = await ports.preflight(browser);
      const log = await ports.listen(browser);
      const { origin } = front;
      return await use({ browser, origin, log, framesPerSecond, runtimeVersion: product.runtimeVersion });
    });
  } catch (error) {
    clock.fail();
    throw error;
  } finally {
    clock.begin("close");
  }
}

/** What a dying server, browser or display does to the work is a consequence; that it died is the cause. */
async function unlessGone<T>(gone: AbortSignal, work: () => Promise<T>): Promise<T> {
  gone.throwIfAborted();
  const overtaken = Promise.withResolvers<never>();
  const overtake = (): void => overtaken.reject(gone.reason);
  gone.addEventListener("abort", overtake, { once: true });
  try {
    return await Promise.race([work(), overtaken.promise]);
  } catch (error) {
    throw gone.aborted ? gone.reason : error;
  } finally {
    gone.removeEventListener("abort", overtake);
  }
}
