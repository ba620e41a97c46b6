/** The mark that all processes of a run carry, and the watchdog that ends them should the run be killed. */
import { randomInt, randomUUID } from "node:crypto";
import { execa } from "execa";
import { BenchError } from "./errors.ts";
import { LIMITS_A_RUN, type Mark, ownLimitUs } from "./marked.ts";

const MARK_NAME = "SSR_BENCH_RUN";

/** More than a hundred years, and exact in a number. */
const MOST_LIMIT_US = 2 ** 52;

/** The mark of one run. */
export interface RunMark extends Mark {
  /** `entry`, for the environment of the processes to be marked. */
  readonly env: Readonly<Record<string, string>>;
  /** A mark within the mark, for one server and whatever comes of it. */
  family(): FamilyMark;
  /** Ends the watchdog; what still carries the mark ends with it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The mark of one server. */
export interface FamilyMark {
  /** What its command line begins with. */
  readonly argv: readonly [string, ...string[]];
  readonly limitUs: number;
}

/** Makes a run's mark and starts the watchdog that ends its processes should this one be killed. */
export function markRun(): RunMark {
  const value = randomUUID();
  const entry = `${MARK_NAME}=${value}`;
  const firstLimitUs = chooseLimits();
  let families = 0;
  const watchdog = execa(
    process.execPath,
    [`${import.meta.dirname}/watchdog.ts`, entry, String(firstLimitUs)],
    {
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
      // It has to outlive this process.
      cleanup: false,
      reject: false,
    },
  );
  return {
    entry,
    firstLimitUs,
    env: { [MARK_NAME]: value },
    family() {
      const limitUs = firstLimitUs + (families % LIMITS_A_RUN);
      families += 1;
      return { limitUs, argv: ["prlimit", `--rttime=${limitUs}:${limitUs}`] };
    },
    async [Symbol.asyncDispose]() {
      watchdog.stdin?.end("done");
      await watchdog;
    },
  };
}

/** Limits that no other run has, by chance, and that this process may set: none above its own. */
function chooseLimits(): number {
  const mostUs = Math.min(ownLimitUs() ?? MOST_LIMIT_US, MOST_LIMIT_US);
  return mostUs - LIMITS_A_RUN * (1 + randomInt(Math.max(1, Math.floor(mostUs / LIMITS_A_RUN / 2))));
}

/** What a server that can't even be spawned most likely lacks. */
export function missingPrlimit(): BenchError {
  return new BenchError({
    stage: "start",
    code: "missing-tool",
    message: "prlimit isn't installed, so a server's processes couldn't all be found again",
    hint: "Install util-linux (Debian: apt-get install util-linux).",
  });
}
