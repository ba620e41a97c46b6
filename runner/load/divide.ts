/** One worker's share of things that are numbered from 0. */
export interface Share {
  /** The number of its first one. */
  readonly first: number;
  readonly count: number;
}

/** Divides as evenly as it goes; the first shares are the larger ones. */
export function divide(total: number, parts: number): Share[] {
  const least = Math.floor(total / parts);
  const larger = total % parts;
  return Array.from({ length: parts }, (_, index) => ({
    first: index * least + Math.min(index, larger),
    count: least + (index < larger ? 1 : 0),
  }));
}
