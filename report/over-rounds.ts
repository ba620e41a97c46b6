/** The visits of one cell, round by round → the figures that its row has. */
import type { Figure, Figures } from "./figures.ts";
import type { Deviation, Spread } from "./schema.ts";
import { median, medianInterval } from "./statistics.ts";

export interface RoundFigures {
  /** From 1. */
  readonly round: number;
  readonly figures: Figures;
}

export interface OverRounds {
  /** Medians by path; a figure that is null isn't among them. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By path, where there are several rounds. */
  readonly spread: Record<string, Spread>;
  readonly nullReasons: Record<string, string>;
}

/** A figure that is missing in one round is missing in the row: a median of the other rounds would hide it. */
export function overRounds(rounds: readonly RoundFigures[]): OverRounds {
  const numbers = new Map<string, number>();
  const spread: Record<string, Spread> = {};
  const nullReasons: Record<string, string> = {};
  for (const path of rounds[0]?.figures.keys() ?? []) {
    const values = rounds.map(({ round, figures }) => ({ round, figure: figures.get(path) ?? NOT_READ }));
    const missing = values.flatMap(({ round, figure }) =>
      typeof figure === "number" ? [] : [`round ${round}: ${figure.missing}`],
    );
    if (missing.length > 0) {
      nullReasons[path] = missing.join("; ");
      continue;
    }
    const sample = values.flatMap(({ figure }) => (typeof figure === "number" ? [figure] : []));
    numbers.set(path, median(sample));
    if (sample.length > 1) spread[path] = medianInterval(sample);
  }
  return { numbers, spread, nullReasons };
}

const NOT_READ: Figure = { missing: "this round has no such reading" };

/** What the adapter of these visits declares, each code once. */
export function deviationsOf(visits: readonly { readonly deviations: readonly Deviation[] }[]): Deviation[] {
  const byCode = new Map(visits.flatMap(({ deviations }) => deviations).map((one) => [one.code, one]));
  return [...byCode.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
