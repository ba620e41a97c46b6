/** Before two servers are compared: do they send the same? */
import { BenchError } from "../../harness/errors.ts";
import type { ServerHandle } from "../../harness/launch.ts";

const NONCE = "samebytes";
/** What differs from request to request by contract. */
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** @throws BenchError `contract` where the two bodies differ in more than their timestamps */
export async function assertSameBytes(
  first: ServerHandle,
  second: ServerHandle,
  adapter: string,
  signal: AbortSignal,
): Promise<void> {
  const [one, two] = [await bodyOf(first, signal), await bodyOf(second, signal)];
  if (one === two) return;
  const at = [...one].findIndex((character, index) => character !== two[index]);
  throw new BenchError({
    stage: "verify",
    code: "contract",
    message: `${adapter} and its bare server send different bodies: ${one.length} and ${two.length} characters, from ${at}: ${JSON.stringify(one.slice(at, at + 60))}`,
    hint: "Make the bare server render the same tree with the same assets.",
  });
}

async function bodyOf({ target }: ServerHandle, signal: AbortSignal): Promise<string> {
  const response = await fetch(`http://${target.host}:${target.port}/?r=${NONCE}`, { signal });
  return (await response.text()).replaceAll(TIMESTAMP, "");
}
