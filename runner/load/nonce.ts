/**
 * The nonces of one connection: unique over the run, its workers and its connections. All are of one length, so that
 * none is a part of another, and a body that holds one can only be the answer to that one request.
 */
const RADIX = 36;
const CONNECTION_DIGITS = 3;
const REQUEST_DIGITS = 7;

/** Letters and digits that a run's own prefix may have, so that the whole stays within the contract's 32. */
export const RUN_PREFIX_DIGITS = 10;

/** @param runPrefix `RUN_PREFIX_DIGITS` random letters or digits @param connection its number in the whole load */
export function nonceSource(runPrefix: string, connection: number): () => string {
  const prefix = runPrefix + connection.toString(RADIX).padStart(CONNECTION_DIGITS, "0");
  let request = 0;
  return () => {
    request += 1;
    return prefix + request.toString(RADIX).padStart(REQUEST_DIGITS, "0");
  };
}
