/** The end of a `switch` over a union: a case that was forgotten doesn't compile. @throws TypeError */
export function assertNever(value: never): never {
  throw new TypeError(
    `unexpected value ${JSON.stringify(value)}; this is a fault of the suite, please report it`,
  );
}
