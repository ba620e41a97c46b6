/** Divides a number of things as evenly as it goes; the first shares are the larger ones. */
export function divide(total: number, parts: number): number[] {
  const least = Math.floor(total / parts);
  const larger = total % parts;
  return Array.from({ length: parts }, (_, index) => least + (index < larger ? 1 : 0));
}
