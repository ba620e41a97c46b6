/** One visit of the browser run: one product in one round, through all 29 steps. */
import type { BuiltAdapter } from "../harness/build.ts";
import type { PlannedBrowserVisit } from "../report/browser/order.ts";
import type { BrowserPlan, BrowserVisit } from "../report/browser/schema.ts";
import { toFailure } from "./failure.ts";
import { type AtProduct, type BrowserPorts, onProduct } from "./on-product.ts";
import { StageClock } from "./stage-clock.ts";
import { type Walked, type WalkPageOptions, walkPage } from "./walk.ts";

export interface VisitRequest {
  readonly planned: PlannedBrowserVisit;
  readonly built: BuiltAdapter;
  readonly plan: BrowserPlan;
  readonly ports: BrowserPorts;
  readonly signal: AbortSignal;
}

/** Makes a visit. Never throws but for an interruption, whose reason it passes on: a visit cut short is no failure. */
export async function visitInBrowser(
  request: VisitRequest,
  walk: (options: WalkPageOptions) => Promise<Walked> = walkPage,
): Promise<BrowserVisit> {
  const clock = new StageClock(request.ports);
  const { adapter, round } = request.planned;
  let keptIn: string | null = null;
  const keep = async ({ browser: { page }, log }: AtProduct, problems: readonly unknown[]): Promise<void> => {
    keptIn = await request.ports.keepEvidence(`${adapter}-round-${round}`, { page, log, problems });
  };
  try {
    const onFailure = (at: AtProduct, error: unknown): Promise<void> => keep(at, [String(error)]);
    const walked = await onProduct({ ...request, clock, onFailure }, async (at) => {
      const seen = await walk({ ...at, ...request, onStage: (stage) => clock.advance(stage) });
      if (!isRight(seen)) await keep(at, [...seen.problems, ...seen.steps]);
      return { ...seen, runtimeVersion: at.runtimeVersion, framesPerSecond: at.framesPerSecond };
    });
    return { adapter, round, timing: clock.timing(), ...judged(walked, keptIn, request.built) };
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    const failure = toFailure(error, clock.stage);
    return { status: "failed", adapter, round, timing: clock.timing(), failure, keptIn };
  }
}

function judged(
  walked: Walked & Pick<AtProduct, "runtimeVersion" | "framesPerSecond">,
  keptIn: string | null,
  built: BuiltAdapter,
) {
  const { problems, ...seen } = walked;
  const { runtime, deviations } = built.manifest;
  const fields = {
    ...seen,
    runtime,
    frameworkVersion: built.frameworkVersion,
    deviations: [...deviations],
  };
  return isRight(walked)
    ? { status: "right" as const, ...fields }
    : { status: "wrong" as const, ...fields, problems: [...problems], keptIn };
}

function isRight({ problems, steps }: Walked): boolean {
  return problems.length === 0 && steps.every((step) => step.problems.length === 0);
}
