/** In which order a run visits its cells: a pure function of the plan, so that a report can be held to it. */
import type { ResponseMode, RunPlan } from "./schema.ts";
import { shuffledRounds } from "./shuffle.ts";

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
  const cells = cellsOf(plan);
  return shuffledRounds(cells.length, plan.rounds, plan.seed).flatMap((order, nth) =>
    order.flatMap((index) => {
      const round = nth + 1;
      const cell = cells[index] as Cell;
      return armsOf(plan, index + round).map((telemetry) => ({ ...cell, round, telemetry }));
    }),
  );
}

function armsOf(plan: RunPlan, turn: number): readonly boolean[] {
  if (plan.control === "none") return [true];
  return turn % 2 === 0 ? [true, false] : [false, true];
}
