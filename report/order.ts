/** In which order a run visits its cells: a pure function of the plan, so that a report can be held to it. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { ResponseMode, RunPlan } from "./schema.ts";

/** A cell: one adapter in one response mode. */
export interface Cell {
  readonly adapter: string;
  readonly responseMode: ResponseMode;
}

/** A visit to come. */
export interface PlannedVisit extends Cell {
  /** From 1. */
  readonly round: number;
  /** False in the arm of a telemetry control that has no sampler. */
  readonly telemetry: boolean;
}

/** `adapter/responseMode`: how warnings name a cell. */
export function cellName(cell: Cell): string {
  return `${cell.adapter}/${cell.responseMode}`;
}

/** The plan's cells in the order of its adapters, and of its modes within each. */
export function cellsOf(plan: RunPlan): Cell[] {
  return plan.adapters.flatMap((adapter) =>
    plan.responseModes.map((responseMode) => ({ adapter, responseMode })),
  );
}

/**
 * All visits of a plan in the order that they are made: rounds outermost, the cells of each round shuffled by one
 * generator seeded with the plan's seed (of which the lower 32 bits count). In a telemetry control both arms of a cell
 * stand beside each other; which comes first alternates from cell to cell and, for each cell, from round to round, so
 * that a drift of the machine favours neither.
 */
export function orderOf(plan: RunPlan): PlannedVisit[] {
  const random = xoroshiro128plus(plan.seed);
  const cells = cellsOf(plan);
  const visits: PlannedVisit[] = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    const order = shuffle(cells.length, (last) => uniformInt(random, 0, last));
    for (const index of order) {
      const cell = cells[index] as Cell;
      for (const telemetry of armsOf(plan, index + round)) visits.push({ ...cell, round, telemetry });
    }
  }
  return visits;
}

function armsOf(plan: RunPlan, turn: number): readonly boolean[] {
  if (plan.control === "none") return [true];
  return turn % 2 === 0 ? [true, false] : [false, true];
}

/** The indices below `length` in random order (Fisher and Yates). @param pick a whole number, 0 to `last` */
function shuffle(length: number, pick: (last: number) => number): number[] {
  const order = Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last -= 1) {
    const other = pick(last);
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  return order;
}
