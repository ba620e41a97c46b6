/**
 * A small process that outlives the runner by a moment. Its standard input is a pipe from the runner: when that
 * closes, for whatever reason (a `kill -9` too), it ends every process that carries the run's mark. Started by
 * `launch.ts`; not a command for people.
 */
import { processesWithEnv } from "./proc.ts";

const mark = process.argv[2] as string;

function endMarked(): void {
  for (const pid of processesWithEnv(mark)) {
    if (pid === process.pid) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

// A terminal's Ctrl-C reaches the whole group; the watchdog leaves only after the runner has.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.stdin.resume();
process.stdin.on("close", () => {
  endMarked();
});
