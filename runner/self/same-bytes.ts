/** Before two servers are compared: do they send the same? */
import { BenchError } from "../../harness/errors.ts";
import type { ServerHandle } from "../../harness/launch.ts";

const NONCE = "samebytes";
/** What differs from request to request by contract. */
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** What may be a time in ms since 1970: frameworks send the time at which they loaded data beside it. */
const EPOCH_MS = /\b\d{13}\b/g;
/** What an island is called: a framework may make it of the island's data, of which the timestamps are a part. */
const ISLAND_ID = /\buid="\w+"/g;

/** @throws BenchError `contract` where the two bodies differ in more than their times */
export async function assertSameBytes(
  first: ServerHandle,
  second: ServerHandle,
  adapter: string,
  signal: AbortSignal,
): Promise<void> {
  const [one, two] = [await bodyOf(first, signal), await bodyOf(second, signal)];
  if (one === two) return;
  const at = firstDifference(one, two);
  throw new BenchError({
    stage: "verify",
    code: "contract",
    message: `${adapter} and its bare server send different bodies: ${one.length} and ${two.length} characters, from ${at}: ${JSON.stringify(one.slice(at, at + 60))} and ${JSON.stringify(two.slice(at, at + 60))}`,
    hint: "Make the bare server render the same tree with the same assets.",
  });
}

async function bodyOf({ target }: ServerHandle, signal: AbortSignal): Promise<string> {
  const sentAtMs = Date.now();
  const response = await fetch(`http://${target.host}:${target.port}/?r=${NONCE}`, { signal });
  const body = await response.text();
  return withoutTimes(body, sentAtMs, Date.now());
}

/** A body without the contract's timestamps, and without numbers that are a time at which it was made. */
export function withoutTimes(body: string, sentAtMs: number, endedAtMs: number): string {
  return body
    .replaceAll(TIMESTAMP, "")
    .replaceAll(ISLAND_ID, "")
    .replaceAll(EPOCH_MS, (number) =>
      Number(number) >= sentAtMs && Number(number) <= endedAtMs ? "" : number,
    );
}

/** Index of the first UTF-16 code unit in which two different texts differ; the shorter one's length where it is the other's start. */
export function firstDifference(one: string, two: string): number {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at += 1;
  return at;
}
