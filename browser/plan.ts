/** From the command's options to the frozen plan of a browser run. Pure. */
import { BenchError } from "../harness/errors.ts";
import { LEAST_OFFICIAL_ROUNDS, OFFICIAL, PRESCRIBED } from "../report/browser/official.ts";
import type { BrowserPlan } from "../report/browser/schema.ts";
import type { ResponseMode } from "../report/schema.ts";

/** What a person may ask for. */
export interface BrowserRunOptions {
  readonly official: boolean;
  readonly filtered: boolean;
  readonly headed: boolean;
  readonly responseMode: ResponseMode;
  readonly rounds?: number | undefined;
  readonly seed?: number | undefined;
}

/**
 * The plan of a run, frozen.
 * @param seed for when none is asked for
 * @throws BenchError `usage` where an official run is asked for that is filtered, headless, in another response mode or
 *   of fewer than ten rounds, with all of it in one message
 */
export function makeBrowserPlan(
  options: BrowserRunOptions,
  adapters: readonly string[],
  seed: number,
): BrowserPlan {
  if (options.official) refuseUnofficial(options);
  return Object.freeze({
    runtimeMode: options.official ? "official" : "quick",
    responseMode: options.responseMode,
    adapters: [...adapters].sort(),
    filtered: options.filtered,
    rounds: options.rounds ?? (options.official ? LEAST_OFFICIAL_ROUNDS : 1),
    seed: options.seed ?? seed,
    headed: options.headed,
    ...PRESCRIBED,
  } satisfies BrowserPlan);
}

function refuseUnofficial({ filtered, headed, responseMode, rounds }: BrowserRunOptions): void {
  const faults = [
    ...(filtered ? ["takes no --only and --skip"] : []),
    ...(headed ? [] : ["takes no --headless"]),
    ...(responseMode === OFFICIAL.responseMode ? [] : [`is in response mode ${OFFICIAL.responseMode}`]),
    ...(rounds === undefined || rounds >= LEAST_OFFICIAL_ROUNDS
      ? []
      : [`has at least ${LEAST_OFFICIAL_ROUNDS} rounds, not ${rounds}`]),
  ];
  if (faults.length === 0) return;
  throw new BenchError({
    stage: "plan",
    code: "usage",
    message: `an official run ${faults.join(", ")}: its rows have to compare with everybody's`,
    hint: "Leave it out, or leave out --official.",
  });
}
