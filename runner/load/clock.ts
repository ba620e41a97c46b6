/** The one clock of a load run: CLOCK_MONOTONIC, which all processes of the machine share. */
const NS_PER_MS = 1e6;

/** `performance.now()` runs on the same clock, but from this process's own start; it costs a third of `hrtime.bigint()`. */
const processStartMs = Number(process.hrtime.bigint()) / NS_PER_MS - performance.now();

/** Now, in ms on the monotonic clock (`process.hrtime`), the same in all processes to within a microsecond or two. */
export function monotonicMs(): number {
  return performance.now() + processStartMs;
}
