/** What a visit's figures mean: reasons why a row can't be ranked, and warnings. */
import { checkConsistency } from "./consistency.ts";
import {
  errorCount,
  idleShare,
  invalidCount,
  loadBusy,
  loadOthersShare,
  othersShare,
  ratePerSecond,
} from "./figures.ts";
import { cellName } from "./order.ts";
import {
  type MeasuredVisit,
  type Problem,
  type RunPlan,
  type VerdictReason,
  type Visit,
  verdictReasonSchema,
  type Warning,
} from "./schema.ts";
import { median, percentile } from "./statistics.ts";

/** Where a figure begins to mean something; shares are 0 to 1. */
export const THRESHOLDS = {
  /** Load workers busier than this hold the server back. */
  loadBusy: 0.9,
  /** So do load CPUs that are idle for less than this. */
  loadIdle: 0.05,
  /** A server CPU idle for more than this wasn't saturated. */
  serverIdle: 0.1,
  stalledMs: 1000,
  /** Others' share of the server CPU that spoils a figure. */
  disturbed: 0.2,
  /** Others' share, of the server CPU or the load CPUs, that is worth a warning. */
  others: 0.05,
  /** How far the probe of twice the connections may exceed both of its neighbours. */
  probe: 0.05,
  /** P90 less P10 of the completions of each second, against their median. */
  unsteady: 0.2,
  /** With fewer whole seconds P10 and P90 are the extremes, and the rule would judge single seconds. */
  unsteadyLeastSeconds: 10,
} as const;

/** One reason, with the figures that it rests on. */
export interface Finding {
  readonly reason: VerdictReason;
  readonly message: string;
}

/**
 * The machine's circumstances: they make a row unrankable when they hold in at least half of its rounds. Every other
 * reason is the server's own fault or blocks publication, and counts from any round.
 */
const CIRCUMSTANCES: ReadonlySet<VerdictReason> = new Set(["generator-bound", "idle-server", "disturbed"]);

/** Why a visit couldn't be ranked by itself, in the order of the closed list of reasons. */
export function findingsOf(visit: MeasuredVisit, plan: RunPlan): Finding[] {
  const { load, sampled, keptBodies } = visit;
  const busy = loadBusy(load);
  const loadIdle = idleShare(sampled.loadCpuTicks);
  const serverIdle = idleShare(sampled.serverCpuTicks);
  const errors = errorCount(load);
  const others = othersShare(visit);
  const invalid = invalidCount(load);
  const problems = checkConsistency(visit, plan);
  const findings: [VerdictReason, boolean, string][] = [
    [
      "generator-bound",
      busy > THRESHOLDS.loadBusy || loadIdle < THRESHOLDS.loadIdle,
      `load workers ${percent(busy)} busy, load CPUs ${percent(loadIdle)} idle`,
    ],
    ["idle-server", serverIdle > THRESHOLDS.serverIdle, `server CPU ${percent(serverIdle)} idle`],
    ["overloaded", errors > 0, `${errors} errors, ${load.errors.timeout} timeouts among them`],
    [
      "stalled",
      load.longestGapMs > THRESHOLDS.stalledMs,
      `no response for ${load.longestGapMs.toFixed(0)} ms`,
    ],
    [
      "starved",
      load.starvedConnections > 0,
      `${load.starvedConnections} of ${load.connections} connections had no complete answer`,
    ],
    ["disturbed", others > THRESHOLDS.disturbed, `others took ${percent(others)} of the server CPU`],
    [
      "invalid",
      load.non2xx > 0 || invalid > 0 || keptBodies.wrong > 0,
      `${load.non2xx} answers with a status outside 2xx, ${invalid} invalid bodies, ${keptBodies.wrong} of ${keptBodies.checked} kept bodies wrong`,
    ],
    ["inconsistent", problems.length > 0, problems.map(problemText).join("; ")],
  ];
  return findings.flatMap(([reason, found, message]) => (found ? [{ reason, message }] : []));
}

/** The reasons of a row from those of its rounds, in the order of the closed list. @param rounds reasons by round */
export function reasonsOverRounds(rounds: readonly (readonly VerdictReason[])[]): VerdictReason[] {
  return verdictReasonSchema.options.filter((reason) => {
    const times = rounds.filter((reasons) => reasons.includes(reason)).length;
    return CIRCUMSTANCES.has(reason) ? times > 0 && times * 2 >= rounds.length : times > 0;
  });
}

/** `rule: expected, seen`, in one line. */
export function problemText(problem: Problem): string {
  return `${problem.rule}: expected ${problem.expected}, seen ${problem.seen}`;
}

/**
 * Everything that the visits of a run warn of, sorted by cell, code and message, each once. Every occurrence is a
 * warning of its own, with its cell, its round and the figures.
 */
export function warningsOf(plan: RunPlan, visits: readonly Visit[]): Warning[] {
  const all = [...runWarnings(plan), ...visits.flatMap((visit) => visitWarnings(visit, plan))];
  const byKey = new Map(all.map((warning) => [JSON.stringify(sortKey(warning)), warning]));
  return [...byKey.values()].sort(compareWarnings);
}

function sortKey(warning: Warning): readonly [string, string, string] {
  return [warning.cell ?? "", warning.code, warning.message];
}

function compareWarnings(a: Warning, b: Warning): number {
  const left = sortKey(a);
  const right = sortKey(b);
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : (left[at] as string) < (right[at] as string) ? -1 : 1;
}

function runWarnings(plan: RunPlan): Warning[] {
  if (!plan.cpus.others.includes(plan.cpus.server)) return [];
  const message = `the load shares CPU ${plan.cpus.server} with the server: there is no other`;
  return [{ code: "shared-cpu", cell: null, message }];
}

function visitWarnings(visit: Visit, plan: RunPlan): Warning[] {
  const arm = visit.telemetry ? "" : ", sampler off";
  const warn = (code: string, message: string): Warning => ({
    code,
    cell: cellName(visit),
    message: `round ${visit.round}${arm}: ${message}`,
  });
  switch (visit.status) {
    case "failed": {
      const { stage, code, message } = visit.failure;
      return [warn("failed", `${code} in ${stage}: ${message}`)];
    }
    case "skipped":
      return [warn("skipped", visit.reason)];
    case "measured":
      return [
        ...visit.warnings,
        ...findingsOf(visit, plan).map(({ reason, message }) => warn(reason, message)),
        ...derivedWarnings(visit).map(({ code, message }) => warn(code, message)),
      ];
  }
}

interface Derived {
  readonly code: string;
  readonly message: string;
}

function derivedWarnings(visit: MeasuredVisit): Derived[] {
  return [...probeWarnings(visit), ...warmWarnings(visit), ...disturbances(visit), ...steadiness(visit)];
}

function probeWarnings({ probes }: MeasuredVisit): Derived[] {
  const errors = probes.flatMap((probe) =>
    probe.errors === 0
      ? []
      : [
          {
            code: "probe-errors",
            message: `${probe.errors} errors (${probe.timeouts} timeouts) at ${probe.connections} connections`,
          },
        ],
  );
  const [first, doubled, control] = probes.map((probe) => ratePerSecond(probe.completed, probe.windowMs));
  if (first === undefined || doubled === undefined || control === undefined) return errors;
  const limit = Math.max(first, control) * (1 + THRESHOLDS.probe);
  if (doubled <= limit) return errors;
  const rates = probes
    .map((probe) => `${probe.completedRps.toFixed(1)}/s at ${probe.connections}`)
    .join(", ");
  return [...errors, { code: "unsaturated-probe", message: rates }];
}

function warmWarnings({ warm }: MeasuredVisit): Derived[] {
  const wrong = warm.errors + warm.non2xx + warm.invalidBodies;
  const answered =
    warm.allAnsweredMs === null ? "never" : `only after ${(warm.allAnsweredMs / 1000).toFixed(1)} s`;
  return [
    ...(warm.status === "ok"
      ? []
      : [
          {
            code: `warm-${warm.status}`,
            message: `the warm-up took ${(warm.durationMs / 1000).toFixed(1)} s; every connection had had an answer ${answered}`,
          },
        ]),
    ...(wrong === 0
      ? []
      : [
          {
            code: "warm-errors",
            message: `in the warm-up ${warm.errors} errors (${warm.timeouts} timeouts), ${warm.non2xx} answers outside 2xx, ${warm.invalidBodies} invalid bodies`,
          },
        ]),
  ];
}

/** Above the limit of the verdict the warning stands all the same, once, under the verdict's own code. */
function disturbances(visit: MeasuredVisit): Derived[] {
  const server = othersShare(visit);
  const load = loadOthersShare(visit);
  return [
    ...(server > THRESHOLDS.others && server <= THRESHOLDS.disturbed
      ? [{ code: "disturbed", message: `others took ${percent(server)} of the server CPU` }]
      : []),
    ...(load > THRESHOLDS.others
      ? [{ code: "disturbed-load", message: `others took ${percent(load)} of the load CPUs` }]
      : []),
  ];
}

function steadiness({ load }: MeasuredVisit): Derived[] {
  const perSecond = load.completionsPerSecond;
  if (perSecond.length < THRESHOLDS.unsteadyLeastSeconds) return [];
  const low = percentile(perSecond, 0.1);
  const high = percentile(perSecond, 0.9);
  const middle = median(perSecond);
  if (high - low <= THRESHOLDS.unsteady * middle) return [];
  return [
    {
      code: "unsteady",
      message: `completions a second from ${low} (P10) to ${high} (P90), median ${middle}`,
    },
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
