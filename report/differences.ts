/** Where two JSON values differ, each difference with its path. */
import type { Problem } from "./schema.ts";

/** Figures that were recomputed may differ in the last bits where another engine adds in another order. */
const RELATIVE_TOLERANCE = 1e-9;

/**
 * Every place where `seen` isn't `expected`. Numbers are the same within one part in 10⁹.
 *
 * @param path what the values are called, such as `rows.0`
 */
export function differences(path: string, expected: unknown, seen: unknown): Problem[] {
  if (Array.isArray(expected) && Array.isArray(seen)) {
    return Array.from({ length: Math.max(expected.length, seen.length) }, (_, index) =>
      differences(`${path}.${index}`, expected[index], seen[index]),
    ).flat();
  }
  if (isRecord(expected) && isRecord(seen)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(seen)]);
    return [...keys].flatMap((key) => differences(`${path}.${key}`, expected[key], seen[key]));
  }
  return isSame(expected, seen) ? [] : [{ rule: path, expected: show(expected), seen: show(seen) }];
}

function isSame(expected: unknown, seen: unknown): boolean {
  if (typeof expected !== "number" || typeof seen !== "number") return expected === seen;
  return Math.abs(expected - seen) <= RELATIVE_TOLERANCE * Math.max(Math.abs(expected), Math.abs(seen));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
