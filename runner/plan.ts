/** From a command's options to the frozen plan of a run. Pure: what the machine offers is passed in. */
import type { CpuAssignment } from "../harness/cpus.ts";
import { BenchError } from "../harness/errors.ts";
import type { ResponseMode, RunPlan, RuntimeMode } from "../report/schema.ts";

/** What a person may ask for; everything not asked for has its default by runtime mode. */
export interface RunOptions {
  readonly runtimeMode: RuntimeMode;
  readonly responseMode?: ResponseMode | undefined;
  readonly filtered: boolean;
  readonly rounds?: number | undefined;
  readonly seed?: number | undefined;
  readonly connections?: number | undefined;
  readonly probeSeconds?: number | undefined;
  readonly warmSeconds?: number | undefined;
  readonly seconds?: number | undefined;
  readonly control?: "telemetry" | undefined;
}

/** Durations of a visit's parts by runtime mode, in ms. */
const DURATIONS = {
  official: { unrecordedMs: 2000, probeMs: 4000, warmMs: 3000, windowMs: 20_000 },
  quick: { unrecordedMs: 500, probeMs: 1000, warmMs: 1000, windowMs: 3000 },
} as const;

const CONNECTIONS = 64;
const WORKERS = 2;
const WARM_LIMIT_MS = 15_000;
const TIMEOUT_MS = 10_000;
const RSS_INTERVAL_MS = 200;
const PSS_INTERVAL_MS = 1000;

/**
 * The plan of a run, frozen.
 * @param seed for when none is asked for
 * @throws BenchError `usage` where official is asked for with a filter or durations of its own, or without one mode;
 *   `no-cpu` where it would have to share its only CPU
 */
export function makePlan(
  options: RunOptions,
  adapters: readonly string[],
  cpus: CpuAssignment,
  seed: number,
): RunPlan {
  if (options.runtimeMode === "official") refuseUnofficial(options, cpus);
  const durations = DURATIONS[options.runtimeMode];
  const connections = options.connections ?? CONNECTIONS;
  return Object.freeze({
    runtimeMode: options.runtimeMode,
    responseModes: options.responseMode === undefined ? ["progressive", "complete"] : [options.responseMode],
    adapters: [...adapters].sort(),
    filtered: options.filtered,
    rounds: options.rounds ?? 1,
    seed: options.seed ?? seed,
    connections,
    workers: Math.min(WORKERS, connections),
    unrecordedMs: durations.unrecordedMs,
    probeMs: toMs(options.probeSeconds) ?? durations.probeMs,
    warmMs: toMs(options.warmSeconds) ?? durations.warmMs,
    warmLimitMs: Math.max(WARM_LIMIT_MS, toMs(options.warmSeconds) ?? 0),
    windowMs: toMs(options.seconds) ?? durations.windowMs,
    timeoutMs: TIMEOUT_MS,
    rssIntervalMs: RSS_INTERVAL_MS,
    pssIntervalMs: PSS_INTERVAL_MS,
    control: options.control ?? "none",
    cpus: { server: cpus.server, others: [...cpus.others] },
  } satisfies RunPlan);
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.max(1, Math.round(seconds * 1000));
}

const QUICK_ONLY = {
  filtered: "--only and --skip",
  connections: "--connections",
  probeSeconds: "--probe-seconds",
  warmSeconds: "--warm-seconds",
  seconds: "--seconds",
} as const satisfies Partial<Record<keyof RunOptions, string>>;

function refuseUnofficial(options: RunOptions, cpus: CpuAssignment): void {
  const asked = (Object.keys(QUICK_ONLY) as (keyof typeof QUICK_ONLY)[]).filter(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  if (asked.length > 0) {
    throw new BenchError({
      stage: "plan",
      code: "usage",
      message: `an official run takes no ${asked.map((name) => QUICK_ONLY[name]).join(", ")}: its rows have to compare with everybody's`,
      hint: "Leave it out, or use --runtime-mode quick.",
    });
  }
  if (options.responseMode === undefined) {
    throw new BenchError({
      stage: "plan",
      code: "usage",
      message: "an official run measures one response mode",
      hint: "Add --response-mode progressive or --response-mode complete.",
    });
  }
  if (cpus.others.includes(cpus.server)) {
    throw new BenchError({
      stage: "plan",
      code: "no-cpu",
      message: "an official run needs at least two CPUs: one for the server, one for the load",
      hint: "Allow this process a second CPU, or use --runtime-mode quick.",
    });
  }
}

const BASELINE_NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * The file name of a named baseline, `ssr-todo-NAME.json`.
 * @throws BenchError `usage` where the name has anything but small letters, digits and dashes in it, or begins with
 *   `official` without an official, unfiltered run behind it
 */
export function baselineFile(name: string, plan: Pick<RunPlan, "runtimeMode" | "filtered">): string {
  if (!BASELINE_NAME.test(name)) {
    throw new BenchError({
      stage: "plan",
      code: "usage",
      message: `"${name}" can't be the name of a baseline`,
      hint: "Use small letters, digits and dashes; for a file elsewhere use --output FILE.",
    });
  }
  if (name.startsWith("official") && (plan.runtimeMode !== "official" || plan.filtered)) {
    throw new BenchError({
      stage: "plan",
      code: "usage",
      message: `names that begin with "official" are for official, unfiltered runs; this one is ${plan.runtimeMode}`,
      hint: "Choose another name, or add --runtime-mode official.",
    });
  }
  return `ssr-todo-${name}.json`;
}
