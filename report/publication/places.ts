/** Places: who comes before whom, where the intervals say so. */

import type { MeasuredRow } from "../schema.ts";

/** What a place is given by. */
export interface Contender {
  readonly adapter: string;
  readonly median: number;
  /** The interval of the median; null where there are too few rounds for one. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** A row as it contends, by completed RPS. */
export function contenderOf({ adapter, completedRps, spread }: MeasuredRow): Contender {
  const interval = spread.completedRps;
  return {
    adapter,
    median: completedRps,
    interval: interval === undefined || interval.level === null ? null : interval,
  };
}

/**
 * Each contender's place by its median, the highest first. A place is led by its first; it ends at the first contender
 * whose interval doesn't overlap that of the leader, and who leads the next one. A place's number counts all who stand
 * in front of it, so that two of place 1 are followed by place 3.
 *
 * Overlap is tested against the leader alone, not from neighbour to neighbour: a chain of overlaps would put the first
 * and the last of any crowded field into one place. Two intervals of 95 % that don't overlap differ at a level well
 * above that (Schenker and Gentleman, The American Statistician 55, 2001), so places rather join than part.
 *
 * @returns by adapter; empty where a contender has no interval, for then nobody has a place
 */
export function placesOf(contenders: readonly Contender[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  let leader: { readonly low: number; readonly place: number } | null = null;
  for (const [index, { adapter, interval }] of sorted(contenders).entries()) {
    if (interval === null) return new Map();
    if (leader === null || interval.high < leader.low) leader = { low: interval.low, place: index + 1 };
    places.set(adapter, leader.place);
  }
  return places;
}

function sorted(contenders: readonly Contender[]): Contender[] {
  return [...contenders].sort((a, b) => b.median - a.median || (a.adapter < b.adapter ? -1 : 1));
}
