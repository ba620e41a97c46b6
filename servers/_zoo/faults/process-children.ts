/** Servers whose processes do what they shouldn't: don't end, leave others behind, die, go elsewhere. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import os from "node:os";
import type { Exchange, Fault, Faults } from "../fault.ts";

/** A process of the same program, so that what it runs gives nothing away; it ends by itself in the end. */
const IDLE = [process.execPath, "-e", "setTimeout(() => undefined, 600_000)"] as const;

/** So many open connections are the load, not somebody who looks. */
export const LEAST_CONNECTIONS = 16;
/** More are the doubled load of a probe. */
const MOST_CONNECTIONS = 64;

/** Right, but for what happens once: so long after the first request of a load that is never doubled. */
export function onceInLoad(what: string, afterMs: number, act: (exchange: Exchange) => void): Fault {
  return {
    what,
    make(right) {
      let sinceMs: number | null = null;
      let isOver = false;
      return {
        respond(exchange) {
          right.respond(exchange);
          if (exchange.openConnections < LEAST_CONNECTIONS || isOver) return;
          sinceMs ??= performance.now();
          isOver = exchange.openConnections > MOST_CONNECTIONS;
          if (isOver || performance.now() - sinceMs < afterMs) return;
          isOver = true;
          act(exchange);
        },
      };
    },
  };
}

/** Right, but for what happens when it starts. */
function atStart(what: string, act: () => void): Fault {
  return {
    what,
    make() {
      act();
      return {};
    },
  };
}

function ownCpu(): string {
  return /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
}

/** Moves a process to a CPU that isn't this one's. */
function moveAway(pid: number): void {
  const own = ownCpu();
  const others = os.cpus().map((_, cpu) => String(cpu));
  for (const cpu of others.filter((one) => one !== own)) {
    try {
      pin(pid, cpu);
      return;
    } catch {
      // Not one that may be used; perhaps the next.
    }
  }
}

function pin(pid: number, cpu: string): void {
  execFileSync("taskset", ["-a", "-c", "-p", cpu, String(pid)], { stdio: "ignore" });
}

function busyChild(): number {
  const child = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  if (child.pid === undefined) throw new Error("no child can be started");
  return child.pid;
}

/** In the middle of a window that begins half a second, or a second, after the load; and after the end of a probe's part of it. */
const IN_WINDOW_MS = 3_500;
const AWAY_MS = 500;

export const CHILDREN_FAULTS: Faults = {
  "ignores-sigterm": { what: "SIGTERM ignored", make: () => ({ terminate: () => undefined }) },
  "runs-another-program": atStart("a child that runs another program", () => {
    spawn("sleep", ["600"], { stdio: "ignore" }).unref();
  }),
  "leaves-child": atStart("a child process left behind", () => {
    const [file, ...args] = IDLE;
    spawn(file, args, { detached: true, stdio: "ignore" }).unref();
  }),
  "leaves-hidden-child": atStart("a child left behind with a clean environment and another parent", () => {
    execFileSync("setsid", ["-f", ...IDLE], { env: { PATH: process.env.PATH }, stdio: "ignore" });
  }),
  "crashes-in-window": onceInLoad("a crash in the middle", IN_WINDOW_MS, () => {
    console.error("out of luck");
    process.exit(3);
  }),
  "leaves-its-port": onceInLoad("it stops listening under load", IN_WINDOW_MS, ({ request }) => {
    const { server } = request.socket as typeof request.socket & { readonly server: Server };
    server.close();
    // Without a connection it would end.
    setInterval(() => undefined, 1_000);
  }),
  "child-on-other-cpu": onceInLoad("a child that works on another CPU", IN_WINDOW_MS, () =>
    moveAway(busyChild()),
  ),
  "moves-cpu": onceInLoad("it moves to another CPU under load", IN_WINDOW_MS, () => moveAway(process.pid)),
  "moves-cpu-and-back": onceInLoad("it is on another CPU for a moment", IN_WINDOW_MS, () => {
    const own = ownCpu();
    moveAway(process.pid);
    setTimeout(() => pin(process.pid, own), AWAY_MS);
  }),
};
