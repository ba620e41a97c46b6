/** What the words on a page mean. docs/measuring.md has the thresholds. */
import type { VerdictReason } from "../schema.ts";

/** Why a row is `not rankable`. */
export const REASON_WORDS: Readonly<Record<VerdictReason, string>> = {
  "generator-bound": "the load had too little CPU: the server may be able to do more",
  "idle-server": "the server's CPU wasn't busy: something else was the limit",
  overloaded: "some requests had no complete answer",
  stalled: "for more than a second no response was completed",
  starved: "a connection had no complete answer at all",
  disturbed: "others took more than a fifth of the server's CPU",
  invalid: "some answers were wrong",
  inconsistent: "the readings contradict each other",
};

/** What a declared deviation means. */
export const DEVIATION_WORDS: Readonly<Record<string, string>> = {
  "complete-by-buffering": "complete mode keeps what is streamed until its end",
  "streams-data": "what is streamed is data; the list is markup all the same",
  "own-client": "the framework's client isn't in a registry; the page's is the adapter's own",
  "exit-status": "the server doesn't exit with 0 when it is told to end",
};
