/** The cost of looking: cells measured with the sampler on and off in turn. */
import { ratePerSecond, samplerCpuUsPerSample } from "./figures.ts";
import { type Cell, cellsOf } from "./order.ts";
import { ofCell } from "./rows.ts";
import type { Control, MeasuredVisit, RunPlan, Visit } from "./schema.ts";
import { median, medianInterval } from "./statistics.ts";

/**
 * For each cell the rate with the sampler ÷ the rate without, of the two visits of one round, which stand beside each
 * other: the median of the pairs and its interval. Null where the plan has no control; a cell without a whole pair is
 * left out (its failed visits stand in the rows and the warnings).
 */
export function controlOf(plan: RunPlan, visits: readonly Visit[]): Control | null {
  if (plan.control === "none") return null;
  return {
    kind: "telemetry",
    cells: cellsOf(plan).flatMap((cell) => controlCell(cell, ofCell(visits, cell))),
  };
}

function controlCell(cell: Cell, visits: readonly Visit[]): Control["cells"] {
  const measured = visits.filter((visit): visit is MeasuredVisit => visit.status === "measured");
  const ratios = measured
    .filter((visit) => visit.telemetry)
    .flatMap((on) => {
      const off = measured.find((visit) => !visit.telemetry && visit.round === on.round);
      return off === undefined || off.load.completed === 0 ? [] : [rate(on) / rate(off)];
    });
  if (ratios.length === 0) return [];
  const samplerCpu = measured.map(samplerCpuUsPerSample).filter((us) => us !== null);
  return [
    {
      adapter: cell.adapter,
      responseMode: cell.responseMode,
      pairs: ratios.length,
      rpsRatio: median(ratios),
      ...medianInterval(ratios),
      samplerCpuUsPerSample: samplerCpu.length === 0 ? null : median(samplerCpu),
    },
  ];
}

function rate({ load }: MeasuredVisit): number {
  return ratePerSecond(load.completed, load.windowMs);
}
