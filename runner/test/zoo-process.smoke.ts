/** Servers that run something else than what was built, or whose processes do what they shouldn't: where each is seen. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { allowedCpus } from "../../harness/cpus.ts";
import { launchServer, type ServerHandle } from "../../harness/launch.ts";
import { findListener } from "../../harness/listening.ts";
import { markRun } from "../../harness/mark.ts";
import { SERVERS_DIR } from "../../harness/project.ts";
import { judgeStop } from "../../harness/shutdown.ts";
import type { Failure, MeasuredRow, MeasuredVisit, ResponseMode } from "../../report/schema.ts";
import { launchAndVerify, openZoo, type Visited, visitServer, type Zoo } from "./zoo.ts";

/** Long enough for what the faults do one to four seconds after a load has begun. */
const LONG = { windowMs: 5_500 };

const BUILDS: readonly (readonly [fault: string, mode: ResponseMode, rules: readonly string[]])[] = [
  ["build-by-mode", "progressive", []],
  ["build-by-mode", "complete", ["artifact-built", "artifact-listed"]],
  ["artifact-not-listed", "progressive", ["artifact-listed"]],
  ["other-file-open", "complete", ["loaded-unlisted"]],
  ["other-file-mapped", "progressive", ["loaded-unlisted"]],
  ["runs-another-program", "complete", ["loaded-exe"]],
];

const AFFINITY: readonly (readonly [fault: string, says: RegExp])[] = [
  ["child-on-other-cpu", /ran on CPU \d+, not on/],
  ["moves-cpu", /on CPU \d+, not/],
  ["moves-cpu-and-back", /ran on CPU \d+, not on/],
];

function failureOf({ row }: Visited): Failure {
  assert.ok(row.status === "failed", "the row was measured");
  return row.failure;
}

function measured({ visit, row }: Visited): { visit: MeasuredVisit; row: MeasuredRow } {
  assert.ok(visit.status === "measured" && row.status === "measured", JSON.stringify(row));
  return { visit, row };
}

let zoo: Zoo;
before(async () => {
  zoo = await openZoo();
});
after(() => zoo[Symbol.asyncDispose]());

describe("the zoo's processes", { concurrency: 2 }, () => {
  for (const [fault, mode, rules] of BUILDS) {
    test(`${fault}, ${mode}: verify, contract, ${rules.join(" and ") || "nothing wrong"}`, async () => {
      const { problems } = await launchAndVerify(zoo.adapter(fault), mode);
      const seen = problems.map(({ rule }) => rule);
      assert.deepEqual([...new Set(seen)].sort(), rules);
    });
  }

  test("development-build: verify, contract, development-build", async () => {
    const { resolve } = createRequire(path.join(SERVERS_DIR, "react", "package.json"));
    const build = path.join(path.dirname(resolve("react-dom")), "cjs/react-dom-server.node.development.js");
    const built = await zoo.withFile(build, "server.js");
    const { problems } = await launchAndVerify(built, "complete");
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      ["development-build"],
    );
  });

  for (const [fault, says] of [
    ["ignores-sigterm", /had to be killed/],
    ["leaves-child", /1 processes/],
    ["leaves-hidden-child", /1 processes/],
  ] as const) {
    test(`${fault}: stop, a warning in the row and a breach of shutdown`, async () => {
      const { visit } = measured(await visitServer(zoo.adapter(fault), "complete"));
      assert.deepEqual(
        visit.warnings.map(({ code }) => code),
        ["killed", "killed"],
        "both servers of the visit",
      );
      const { manifest } = zoo.adapter(fault);
      await using mark = markRun();
      const { signal } = new AbortController();
      const server = await launchServer({ manifest, mode: "complete", cpu: null, mark, signal });
      const [problem, ...more] = judgeStop(await server.stop(), manifest);
      assert.deepEqual([problem?.rule, more], ["shutdown", []]);
      assert.match(problem?.seen ?? "", says);
    });
  }

  test("crashes-in-window: measure, server-exit, with its last words", async () => {
    const { stage, code, message } = failureOf(
      await visitServer(zoo.adapter("crashes-in-window"), "complete", LONG),
    );
    assert.deepEqual([stage, code], ["measure", "server-exit"]);
    assert.match(message, /exit code 3[\s\S]*out of luck/);
  });

  for (const [fault, says] of AFFINITY) {
    test(`${fault}: measure, affinity`, async (context) => {
      if (allowedCpus().length === 1) return context.diagnostic("one CPU only: nothing to move to");
      const visited = await visitServer(zoo.adapter(fault), "complete", LONG);
      const { stage, code, message } = failureOf(visited);
      assert.deepEqual([stage, code], ["measure", "affinity"]);
      assert.match(message, says);
    });
  }

  test("a stranger that answers once the server has died: server-exit", async () => {
    await using stranger = openStranger();
    const visited = await visitServer(zoo.adapter("crashes-in-window"), "complete", LONG, (server, nth) => {
      if (nth === 2) server.gone.addEventListener("abort", () => stranger.listen(server.target.port));
    });
    const { stage, code } = failureOf(visited);
    assert.deepEqual([stage, code], ["measure", "server-exit"]);
  });

  test("a stranger that answers in place of a living server: verify, port-taken", async () => {
    await using stranger = openStranger();
    const visited = await visitServer(zoo.adapter("leaves-its-port"), "complete", LONG, (server, nth) => {
      if (nth === 2) void untilFree(server).then((port) => stranger.listen(port));
    });
    const { stage, code, message } = failureOf(visited);
    assert.deepEqual([stage, code], ["verify", "port-taken"]);
    assert.match(message, new RegExp(`held by process ${process.pid}`));
  });
});

/** One at a time: each would be what disturbs the other. */
describe("the zoo's pace", () => {
  test("freezes: not rankable, stalled", async () => {
    const { row } = measured(await visitServer(zoo.adapter("freezes"), "progressive", LONG));
    assert.ok(row.reasons.includes("stalled"), row.reasons.join());
    assert.ok(row.longestGapMs > 1_000);
  });

  test("grows: the series of its memory shows it", async () => {
    const { visit, row } = measured(await visitServer(zoo.adapter("grows"), "complete"));
    const series = visit.sampled.rss.map(({ bytes }) => bytes);
    const [first = 0] = series;
    assert.ok(Math.max(...series) > first + 20 * 2 ** 20, series.join());
    assert.ok((row.peakRssMiB ?? 0) * 2 ** 20 > first);
  });

  test("waits: not rankable, idle-server", async () => {
    const { row } = measured(await visitServer(zoo.adapter("waits"), "complete"));
    // Where others kept its CPU busy meanwhile, that is the reason.
    assert.ok(
      row.reasons.includes("idle-server") || row.reasons.includes("disturbed"),
      `${row.reasons.join()}, busy ${row.serverBusy.total}`,
    );
    assert.ok(row.serverBusy.total < 0.9);
  });
});

/** Waits until a server doesn't listen any more. @returns its port */
async function untilFree(server: ServerHandle): Promise<number> {
  const { port } = server.target;
  while (findListener(port, server.pids()).status === "owned") await delay(20);
  return port;
}

/** A server of this process's, to be put on a port that another has left. */
function openStranger(): AsyncDisposable & { listen(port: number): void } {
  const server = createServer((_, response) => response.end("somebody else"));
  return {
    listen: (port) => void server.listen(port, "127.0.0.1"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
