/** A figure of a row by its path. */

/** @param path such as `latencyMs.p50`. @returns null where there is no number */
export function numberAt(row: object, path: string): number | null {
  const found = path
    .split(".")
    .reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | null)?.[key], row);
  return typeof found === "number" ? found : null;
}
