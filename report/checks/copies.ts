/** Readings that stand in a report twice: two visits never read the same. */
import type { Problem, Visit } from "../schema.ts";

/** Readings that are compared by themselves, so that a copy with a little changed elsewhere shows too. */
const PARTS = ["latency", "firstByte", "workers", "rss", "cpu"] as const;

type Part = (typeof PARTS)[number];

/** With fewer readings in it two histograms can be the same by chance. */
const LEAST_READINGS = 100;

/** Each part of a measured visit that is, to the last digit, an earlier one's. */
export function checkCopies(visits: readonly Visit[]): Problem[] {
  return PARTS.flatMap((part) => {
    const first = new Map<string, number>();
    return visits.flatMap((visit, index) => {
      const readings = readingsOf(visit, part);
      if (readings === null) return [];
      const key = JSON.stringify(readings);
      const before = first.get(key);
      if (before === undefined) {
        first.set(key, index);
        return [];
      }
      return [
        {
          rule: `visits.${index}.${part}`,
          expected: "readings of its own",
          seen: `those of visits.${before}`,
        },
      ];
    });
  });
}

function readingsOf(visit: Visit, part: Part): object | null {
  if (visit.status !== "measured") return null;
  const { load, sampled } = visit;
  switch (part) {
    case "latency":
    case "firstByte":
      return load.completed < LEAST_READINGS ? null : [load[part].histogram];
    case "workers":
      return load.workers.map(({ cpuMs, cpuIntervalMs }) => [cpuMs, cpuIntervalMs]);
    case "rss":
      return sampled.rss.length === 0 ? null : sampled.rss;
    case "cpu":
      return sampled.cpu;
  }
}
