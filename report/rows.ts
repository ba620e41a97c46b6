/** Visits → rows: what a report says of each cell. Pure; nothing is rounded, filled in or left out. */
import { errorCount, figuresOf } from "./figures.ts";
import { type Cell, cellsOf } from "./order.ts";
import { deviationsOf, overRounds } from "./over-rounds.ts";
import type {
  FailedRow,
  FailedVisit,
  MeasuredRow,
  MeasuredVisit,
  Row,
  RowProbe,
  RunPlan,
  SkippedVisit,
  Visit,
  Warm,
} from "./schema.ts";
import { findingsOf, reasonsOverRounds } from "./verdicts.ts";

/**
 * One row for each cell of the plan, in its order: the adapters', and the modes' within each. A cell with any failed
 * visit is a failed row; one with neither a measured nor a failed visit too. Visits of a control's arm without
 * telemetry enter no row.
 */
export function rowsOf(plan: RunPlan, visits: readonly Visit[]): Row[] {
  const sampled = visits.filter((visit) => visit.telemetry);
  return cellsOf(plan).map((cell) => rowOf(cell, ofCell(sampled, cell), plan));
}

/** A cell's visits, by round. */
export function ofCell(visits: readonly Visit[], cell: Cell): Visit[] {
  return visits
    .filter((visit) => visit.adapter === cell.adapter && visit.responseMode === cell.responseMode)
    .sort((a, b) => a.round - b.round);
}

function rowOf(cell: Cell, visits: readonly Visit[], plan: RunPlan): Row {
  const measured = visits.filter((visit): visit is MeasuredVisit => visit.status === "measured");
  const failed = visits.filter((visit): visit is FailedVisit => visit.status === "failed");
  const [firstFailed] = failed;
  const [firstMeasured, ...others] = measured;
  if (firstFailed !== undefined) return failedRow(cell, firstFailed, measured.length, failed.length);
  if (firstMeasured === undefined) {
    return missingRow(
      cell,
      visits.filter((visit): visit is SkippedVisit => visit.status === "skipped"),
    );
  }
  return measuredRow(cell, [firstMeasured, ...others], plan);
}

function failedRow(cell: Cell, visit: FailedVisit, measuredRounds: number, failedRounds: number): FailedRow {
  return {
    status: "failed",
    adapter: cell.adapter,
    responseMode: cell.responseMode,
    attempts: measuredRounds + failedRounds,
    measuredRounds,
    failure: visit.failure,
  };
}

function missingRow(cell: Cell, skipped: readonly SkippedVisit[]): FailedRow {
  return {
    status: "failed",
    adapter: cell.adapter,
    responseMode: cell.responseMode,
    attempts: 0,
    measuredRounds: 0,
    failure: {
      stage: "plan",
      code: "interrupted",
      message: skipped[0]?.reason ?? "the run has no visit of this cell",
      hint: "Go on with the run by --resume, or begin it anew.",
    },
  };
}

type Rounds = readonly [MeasuredVisit, ...MeasuredVisit[]];

function measuredRow(cell: Cell, rounds: Rounds, plan: RunPlan): MeasuredRow {
  const [first] = rounds;
  const figures = overRounds(rounds.map((visit) => ({ round: visit.round, figures: figuresOf(visit) })));
  const number = (path: string) => figures.numbers.get(path) ?? 0;
  const figure = (path: string) => figures.numbers.get(path) ?? null;
  const timing = (name: string) => ({
    mean: figure(`${name}.mean`),
    p50: figure(`${name}.p50`),
    p95: figure(`${name}.p95`),
    p99: figure(`${name}.p99`),
    max: figure(`${name}.max`),
  });
  const reasons = reasonsOverRounds(
    rounds.map((visit) => findingsOf(visit, plan).map(({ reason }) => reason)),
  );
  return {
    status: "measured",
    adapter: cell.adapter,
    responseMode: cell.responseMode,
    runtime: first.server.runtime,
    runtimeVersion: first.server.runtimeVersion,
    frameworkVersion: first.server.frameworkVersion,
    attempts: rounds.length,
    serverCpus: serverCpus(rounds),
    warmStatus: worstWarm(rounds),
    othersShare: number("othersShare"),
    probes: probes(first, number),
    loadStatus: rounds.some((visit) => errorCount(visit.load) > 0) ? "overloaded" : "ok",
    rankable: reasons.length === 0,
    reasons,
    completedRps: number("completedRps"),
    latencyMs: timing("latencyMs"),
    firstByteMs: timing("firstByteMs"),
    longestGapMs: number("longestGapMs"),
    inFlight: number("inFlight"),
    responseBytes: {
      mean: figure("responseBytes.mean"),
      min: figure("responseBytes.min"),
      max: figure("responseBytes.max"),
    },
    chunksPerResponse: number("chunksPerResponse"),
    peakRssMiB: figure("peakRssMiB"),
    peakPssMiB: figure("peakPssMiB"),
    vmHwmMiB: figure("vmHwmMiB"),
    serverBusy: {
      total: number("serverBusy.total"),
      user: number("serverBusy.user"),
      system: number("serverBusy.system"),
    },
    loadBusy: number("loadBusy"),
    cpuUsPerResponse: figure("cpuUsPerResponse"),
    startMs: number("startMs"),
    errors: number("errors"),
    timeouts: number("timeouts"),
    non2xx: number("non2xx"),
    invalidBodies: number("invalidBodies"),
    samples: number("samples"),
    deviations: deviationsOf(rounds),
    spread: figures.spread,
    nullReasons: figures.nullReasons,
  };
}

function probes(first: MeasuredVisit, number: (path: string) => number): RowProbe[] {
  return first.probes.map((probe, index) => ({
    connections: probe.connections,
    completedRps: number(`probes.${index}.completedRps`),
    errors: number(`probes.${index}.errors`),
    timeouts: number(`probes.${index}.timeouts`),
  }));
}

function serverCpus(rounds: Rounds): number[] {
  return [...new Set(rounds.flatMap((visit) => visit.server.cpus))].sort((a, b) => a - b);
}

const WARM_FROM_WORST: readonly Warm["status"][] = ["short", "extended", "ok"];

function worstWarm(rounds: Rounds): Warm["status"] {
  return WARM_FROM_WORST.find((status) => rounds.some((visit) => visit.warm.status === status)) ?? "ok";
}
