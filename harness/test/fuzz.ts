/** For tests that throw random bytes at readers: the same ones every time, and not for long. */
import fc from "fast-check";

/** fast-check prints the seed, and the path to the smallest case that fails. */
export const FUZZ: fc.Parameters<unknown> = {
  seed: 20_261_201,
  numRuns: 800,
  interruptAfterTimeLimit: 5_000,
};

/** Where to cut bytes into pieces, as shares of their length. */
export function cuts(): fc.Arbitrary<number[]> {
  return fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
}

/** The bytes cut at the given shares of their length. */
export function pieces(bytes: Uint8Array, where: readonly number[]): Uint8Array[] {
  const at = where.map((share) => Math.floor(share * bytes.byteLength)).sort((a, b) => a - b);
  return [...at, bytes.byteLength].map((end, nth) => bytes.subarray(at[nth - 1] ?? 0, end));
}

/** What happens to bytes on their way: some are lost, doubled, changed, or others come between. */
export function mutated(source: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.nat(40),
    add: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom(..."\r\n0<>\"'&{}[],:-").map((text) => Buffer.from(text)),
    ),
  });
  return fc.tuple(source, fc.array(change, { minLength: 1, maxLength: 4 })).map(([bytes, changes]) =>
    changes.reduce<Uint8Array>((now, { at, drop, add }) => {
      const start = Math.floor(at * now.byteLength);
      return Buffer.concat([now.subarray(0, start), add, now.subarray(start + drop)]);
    }, bytes),
  );
}
