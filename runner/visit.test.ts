import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuiltAdapter } from "../harness/build.ts";
import { BenchError } from "../harness/errors.ts";
import type { ServerHandle, StopOutcome } from "../harness/launch.ts";
import { parseManifest } from "../harness/manifest.ts";
import type { ServerReadings } from "../report/schema.ts";
import type { LoadPort, Measured } from "./load/port.ts";
import { makePlan } from "./plan.ts";
import { type Cell, type Ports, visit } from "./visit.ts";

const PLAN = makePlan({ runtimeMode: "quick", filtered: false }, ["fake"], { server: 0, others: [1] }, 1);
const MANIFEST = parseManifest(
  JSON.stringify({
    id: "fake",
    displayName: "Fake",
    homepage: "https://example.org",
    versionFrom: "npm:fake",
    runtime: "node",
    build: [],
    start: ["node", "server.js"],
    artifacts: ["dist"],
  }),
  "/somewhere/fake",
);
const BUILT: BuiltAdapter = {
  manifest: MANIFEST,
  artifacts: [],
  frameworkVersion: "1.0.0",
  links: [],
  builtAtMs: 0,
};
const CELL: Cell = { adapter: "fake", responseMode: "complete", round: 1, telemetry: true, built: BUILT };

/** Readings are only passed on by a visit, so that these tests need none. */
const MEASURED = { warm: {}, load: {}, kept: [] } as unknown as Measured;
const SAMPLED = {} as ServerReadings;

const ENDED: StopOutcome = { killed: false, leftBehind: 0, exit: { exitCode: 0, signal: null } };

interface World {
  readonly ports: Ports;
  /** What was asked of the world, in order. */
  readonly log: string[];
  /** Ends the server that runs now, as a crash would. */
  crash(): void;
}

function world(
  change: { readonly [Name in keyof Ports]?: (log: string[], crash: () => void) => Ports[Name] } = {},
  outcome: StopOutcome = ENDED,
): World {
  const log: string[] = [];
  let current = new AbortController();
  const crash = () =>
    current.abort(new BenchError({ stage: "start", code: "server-exit", message: "it died", hint: "-" }));
  const start = (): ServerHandle => {
    const gone = new AbortController();
    current = gone;
    log.push("start");
    let stopped = false;
    return {
      target: { host: "127.0.0.1", port: 1 },
      rootPid: 1,
      startMs: 5,
      gone: gone.signal,
      pids: () => [1],
      async stop() {
        if (!stopped) log.push("stop");
        stopped = true;
        return outcome;
      },
    };
  };
  const load: LoadPort = {
    async probe() {
      log.push("probe");
      return [];
    },
    async measure({ onWindow }) {
      log.push("warm");
      onWindow({ startMs: 0, endMs: 1 });
      log.push("window");
      return MEASURED;
    },
  };
  const ports: Ports = {
    start: async () => start(),
    async verify() {
      log.push("verify");
      return KEPT;
    },
    assertPinned: () => ({ threads: 3 }),
    load,
    async sample() {
      log.push("sample");
      return SAMPLED;
    },
    checkBodies: () => ({ checked: 0, wrong: 0, problems: [] }),
    now: () => ({ wall: new Date(0), monotonicMs: 0 }),
    onStage: () => undefined,
  };
  const changed = Object.fromEntries(Object.entries(change).map(([name, make]) => [name, make(log, crash)]));
  return { ports: { ...ports, ...changed }, log, crash };
}

const KEPT = { verified: { bodyBytes: 1, chunks: 1, requests: 1 }, runtimeVersion: "1.2.3" };

const NEVER = new AbortController().signal;

test("a visit goes through its stages in order, on two servers, and both are gone in the end", async () => {
  const { ports, log } = world();
  const result = await visit(CELL, PLAN, ports, NEVER);
  assert.equal(result.status, "measured");
  assert.deepEqual(log, [
    "start",
    "verify",
    "probe",
    "verify",
    "stop",
    "start",
    "verify",
    "warm",
    "sample",
    "window",
    "verify",
    "stop",
  ]);
  if (result.status !== "measured") return;
  assert.deepEqual(
    result.timing.stages.map(({ stage }) => stage),
    ["start", "verify", "probe", "verify", "stop", "restart", "verify", "warm", "measure", "verify", "stop"],
  );
  assert.deepEqual(
    [result.server.runtimeVersion, result.server.threads, result.server.startMs],
    ["1.2.3", 3, 5],
  );
  assert.deepEqual(result.warnings, []);
});

const refusal = new BenchError({ stage: "verify", code: "contract", message: "one breach", hint: "look" });

test("a breach of the contract fails the visit before any load", async () => {
  const { ports, log } = world({
    verify: (log) => async () => {
      log.push("verify");
      throw refusal;
    },
  });
  const result = await visit(CELL, PLAN, ports, NEVER);
  assert.deepEqual(log, ["start", "verify", "stop"]);
  assert.equal(result.status, "failed");
  if (result.status === "failed")
    assert.deepEqual(result.failure, {
      stage: "verify",
      code: "contract",
      message: "one breach",
      hint: "look",
    });
});

test("a breach after the load fails a visit that was right before it", async () => {
  let calls = 0;
  const { ports, log } = world({
    verify: (log) => async () => {
      log.push("verify");
      calls += 1;
      if (calls === 4) throw refusal;
      return KEPT;
    },
  });
  const result = await visit(CELL, PLAN, ports, NEVER);
  assert.equal(result.status, "failed");
  assert.deepEqual(log.slice(-3), ["window", "verify", "stop"]);
});

test("a server that dies under load is the cause, not what it did to the load", async () => {
  const { ports, log } = world({
    load: (log, crash) => ({
      async probe() {
        log.push("probe");
        crash();
        throw new BenchError({ stage: "probe", code: "load-failed", message: "reset", hint: "-" });
      },
      measure: () => assert.fail("not reached"),
    }),
  });
  const result = await visit(CELL, PLAN, ports, NEVER);
  assert.equal(result.status, "failed");
  if (result.status === "failed")
    assert.deepEqual([result.failure.stage, result.failure.code], ["probe", "server-exit"]);
  assert.deepEqual(log, ["start", "verify", "probe", "stop"]);
});

test("a server that ends with the load's own end is a failed visit too", async () => {
  const { ports } = world({
    sample: (_, crash) => async () => {
      crash();
      return SAMPLED;
    },
  });
  const result = await visit(CELL, PLAN, ports, NEVER);
  assert.equal(result.status === "failed" && result.failure.code, "server-exit");
});

test("a sampler that fails ends the load, and a load that fails ends the sampler", async () => {
  const affinity = new BenchError({ stage: "measure", code: "affinity", message: "moved", hint: "-" });
  const bySampler = world({
    sample: () => async () => {
      throw affinity;
    },
    load: (log) => ({
      probe: async () => [],
      async measure({ onWindow, signal }) {
        onWindow({ startMs: 0, endMs: 1 });
        return await new Promise<never>((_, reject) => {
          signal.addEventListener("abort", () => {
            log.push("load ended");
            reject(signal.reason);
          });
        });
      },
    }),
  });
  const first = await visit(CELL, PLAN, bySampler.ports, NEVER);
  assert.equal(first.status === "failed" && first.failure.code, "affinity");
  assert.ok(bySampler.log.includes("load ended"));

  const byLoad = world({
    load: () => ({
      probe: async () => [],
      async measure() {
        throw new BenchError({ stage: "warm", code: "load-failed", message: "a worker died", hint: "-" });
      },
    }),
  });
  const second = await visit(CELL, PLAN, byLoad.ports, NEVER);
  assert.equal(second.status === "failed" && second.failure.code, "load-failed");
  assert.ok(!byLoad.log.includes("sample"));
});

test("an interruption is passed on, not made a failure, and leaves no server", async () => {
  const run = new AbortController();
  const { ports, log } = world({
    load: (log) => ({
      async probe({ signal }) {
        log.push("probe");
        run.abort(new BenchError({ stage: "setup", code: "interrupted", message: "Ctrl-C", hint: "-" }));
        signal.throwIfAborted();
        return [];
      },
      measure: () => assert.fail("not reached"),
    }),
  });
  await assert.rejects(visit(CELL, PLAN, ports, run.signal), (error) => error === run.signal.reason);
  assert.deepEqual(log, ["start", "verify", "probe", "stop"]);
});

test("a server that had to be killed, or left processes behind, is warned of", async () => {
  const killed = await visit(CELL, PLAN, world({}, { ...ENDED, killed: true }).ports, NEVER);
  assert.deepEqual(killed.status === "measured" && killed.warnings.map(({ code, cell }) => [code, cell]), [
    ["killed", "fake/complete"],
    ["killed", "fake/complete"],
  ]);
  const left = await visit(CELL, PLAN, world({}, { ...ENDED, leftBehind: 2 }).ports, NEVER);
  assert.match(left.status === "measured" ? (left.warnings[0]?.message ?? "") : "", /2 processes/);
});

test("a clock that is set back during a visit fails it by that name, whatever else came of it", async () => {
  for (const verified of [KEPT, null]) {
    let nowMs = Date.parse("2026-10-04T08:00:00.000Z");
    let monotonicMs = 0;
    const { ports } = world({
      now: () => () => {
        monotonicMs += 10;
        nowMs += 10;
        return { wall: new Date(nowMs), monotonicMs };
      },
      verify: () => async () => {
        nowMs -= 3_600_000;
        if (verified !== null) return verified;
        throw new BenchError({ stage: "verify", code: "contract", message: "timestamps", hint: "-" });
      },
    });
    const result = await visit(CELL, PLAN, ports, NEVER);
    assert.ok(result.status === "failed");
    assert.equal(result.failure.code, "clock-set");
    assert.match(result.failure.message, /was set by -\d+ ms/);
    assert.ok(result.timing.stages.every(({ durationMs }) => durationMs >= 0 && durationMs < 1_000));
  }
});
