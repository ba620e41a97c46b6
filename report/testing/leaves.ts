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
  return withValue(value, keys, changed);
}

function withValue<T>(value: T, keys: readonly (string | number)[], changed: unknown): T {
  const copy = structuredClone(value);
  let holder: unknown = copy;
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key];
  (holder as Record<string | number, unknown>)[keys.at(-1) as string | number] = changed;
  return copy;
}

/** A field that isn't a number, and what a forger might do to it: the name of the deed, and the copy that it gives. */
export interface Deed {
  readonly pattern: string;
  readonly what: string;
  readonly forge: <T>(value: T) => T;
}

/** Deeds on every text, switch, null, list and object in a value, and every figure made null. */
export function deedsOn(value: unknown, keys: readonly (string | number)[] = []): Deed[] {
  const pattern = keys.map((key) => (typeof key === "number" ? "*" : key)).join(".");
  const own = keys.length === 0 ? [] : changesOf(value);
  const inner =
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([key, item]) =>
          deedsOn(item, [...keys, Array.isArray(value) ? Number(key) : key]),
        );
  return [
    ...own.map(([what, changed]) => ({
      pattern,
      what: `${keys.join(".")} ${what}`,
      forge: <T>(whole: T) => withValue(whole, keys, changed),
    })),
    ...inner,
  ];
}

function changesOf(value: unknown): [what: string, changed: unknown][] {
  if (value === null)
    return [
      ["made 0", 0],
      ["made a text", "x"],
      ["made a list", []],
    ];
  if (typeof value === "number") return [["made null", null]];
  if (typeof value === "boolean")
    return [
      ["turned", !value],
      ["made null", null],
    ];
  if (typeof value === "string") {
    const digit = value.startsWith("1") ? "2" : "1";
    return [
      ["emptied", ""],
      ["made longer", `${value}x`],
      ["with another beginning", digit + value.slice(1)],
      ["made null", null],
    ];
  }
  if (!Array.isArray(value)) {
    const fields = Object.entries(value as object);
    return [
      ["with a field too many", { ...(value as object), made: "up" }],
      ...fields.map(([name]): [string, unknown] => [
        `without ${name}`,
        Object.fromEntries(fields.filter(([other]) => other !== name)),
      ]),
    ];
  }
  const middle = Math.floor(value.length / 2);
  const changes: [string, unknown[]][] = [
    ["without its last", value.slice(0, -1)],
    ["without its middle", value.toSpliced(middle, 1)],
    ["with its first twice", [...value.slice(0, 1), ...value]],
    ["turned round", value.toReversed()],
    ["emptied", []],
  ];
  return changes.filter(([, changed]) => JSON.stringify(changed) !== JSON.stringify(value));
}

/** What a forger might write in its place: about twice as much, half as much, one more. Whole numbers stay whole. */
export function forgeries(value: number): number[] {
  const whole = Number.isInteger(value);
  const half = whole ? Math.floor(value / 2) : value / 2;
  return [value * 2 + 1, half].filter((changed) => changed !== value);
}
