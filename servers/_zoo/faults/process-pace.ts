/** Right servers of which one can't say how fast they are: they stand still, wait, or fill the memory. */
import type { Fault, Faults } from "../fault.ts";
import { LEAST_CONNECTIONS, onceInLoad } from "./process-children.ts";

const IN_WINDOW_MS = 1_500;
const FREEZE_MS = 1_200;
const WAIT_MS = 200;
const KEPT_BYTES = 2 * 2 ** 20;
const KEEP_INTERVAL_MS = 20;
const MOST_KEPT = 256;

/** Keeps a little more at each tick. */
function grow(): void {
  const kept: Buffer[] = [];
  const timer = setInterval(() => {
    // Filled, so that the kernel has to give the pages.
    kept.push(Buffer.alloc(KEPT_BYTES, 1));
    if (kept.length === MOST_KEPT) clearInterval(timer);
  }, KEEP_INTERVAL_MS);
}

const WAITS: Fault = {
  what: "it waits instead of working under load",
  make: (right) => ({
    respond: (exchange) => {
      if (exchange.openConnections < LEAST_CONNECTIONS) right.respond(exchange);
      else setTimeout(() => right.respond(exchange), WAIT_MS);
    },
  }),
};

export const PACE_FAULTS: Faults = {
  freezes: onceInLoad("it stands still for more than a second", IN_WINDOW_MS, () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FREEZE_MS);
  }),
  grows: onceInLoad("memory that grows", 0, grow),
  waits: WAITS,
};
