/** In which order a browser run visits its products: a pure function of the plan, so that a report can be held to it. */
import { shuffledRounds } from "../shuffle.ts";
import type { BrowserPlan } from "./schema.ts";

/** A visit to come. */
export interface PlannedBrowserVisit {
  readonly adapter: string;
  /** From 1. */
  readonly round: number;
  /** Decides which items the steps of this round take: the same for all products. */
  readonly stepSeed: number;
}

/** All visits of a plan in the order that they are made: rounds outermost, the products of each shuffled by the seed. */
export function browserOrderOf(plan: BrowserPlan): PlannedBrowserVisit[] {
  return shuffledRounds(plan.adapters.length, plan.rounds, plan.seed).flatMap((order, nth) =>
    order.map((index) => ({
      adapter: plan.adapters[index] as string,
      round: nth + 1,
      stepSeed: plan.seed + nth + 1,
    })),
  );
}
