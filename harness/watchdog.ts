/**
 * A small process that outlives the runner by a moment. Its standard input is a pipe from the runner: when that
 * closes, for whatever reason (a `kill -9` too), it ends every process that carries the run's mark. Started by
 * `mark.ts`; not a command for people.
 */
import { setTimeout as delay } from "node:timers/promises";
import { endAll, markedProcesses } from "./marked.ts";

/** A runner that was killed while it forked leaves a child that has its mark only once it has become the server. */
const PASSES = 10;
const PASS_INTERVAL_MS = 100;

const [, , entry = "", firstLimitUs = ""] = process.argv;
const mark = { entry, firstLimitUs: Number(firstLimitUs) };
const find = (): number[] => markedProcesses(mark);
let isDone = false;

// A terminal's Ctrl-C reaches the whole group; the watchdog leaves only after the runner has.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.stdin.on("data", () => {
  isDone = true;
});
process.stdin.on("close", async () => {
  await endAll(find);
  for (let pass = 1; pass < PASSES && !isDone; pass += 1) {
    await delay(PASS_INTERVAL_MS);
    await endAll(find);
  }
});
