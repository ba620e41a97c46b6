/** Numbers in JSON, by their path, and copies with one of them changed: what a forger of one figure would do. */

/** A path as keys from the outermost; `pattern` has `*` for places in lists. */
export interface Leaf {
  readonly keys: readonly (string | number)[];
  readonly pattern: string;
  readonly value: number;
}

/** Every number in a value, depth first. */
export function numericLeaves(value: unknown, keys: readonly (string | number)[] = []): Leaf[] {
  if (typeof value === "number") {
    return [{ keys, pattern: keys.map((key) => (typeof key === "number" ? "*" : key)).join("."), value }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => numericLeaves(item, [...keys, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => numericLeaves(item, [...keys, key]));
}

/** A deep copy of `value` with another number at the leaf. */
export function withLeaf<T>(value: T, { keys }: Leaf, changed: number): T {
  const copy = structuredClone(value);
  let holder: unknown = copy;
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key];
  (holder as Record<string | number, unknown>)[keys.at(-1) as string | number] = changed;
  return copy;
}

/** What a forger might write in its place: about twice as much, half as much, one more. Whole numbers stay whole. */
export function forgeries(value: number): number[] {
  const whole = Number.isInteger(value);
  const half = whole ? Math.floor(value / 2) : value / 2;
  return [value * 2 + 1, half].filter((changed) => changed !== value);
}
