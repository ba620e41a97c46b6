import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadOthersShare } from "./figures.ts";
import { orderOf } from "./order.ts";
import { rowsOf } from "./rows.ts";
import type { FailedVisit, MeasuredRow, MeasuredVisit, Row, RunPlan, Visit } from "./schema.ts";
import { makePlan, makeVisit, timings } from "./testing/right-report.ts";

function visitsOf(plan: RunPlan): MeasuredVisit[] {
  return orderOf(plan).map((planned, nth) => makeVisit(plan, planned, nth * 60_000, nth));
}

function measured(row: Row | undefined): MeasuredRow {
  assert.ok(row?.status === "measured");
  return row;
}

function failedVisit(
  { adapter, responseMode, round, telemetry }: MeasuredVisit,
  message: string,
): FailedVisit {
  return {
    status: "failed",
    adapter,
    responseMode,
    round,
    telemetry,
    timing: { startedAt: "2026-10-04T08:00:00.000Z", stages: [] },
    failure: { stage: "measure", code: "server-exit", message, hint: "Look at its output." },
  };
}

describe("rowsOf", () => {
  it("computes every figure as defined", () => {
    const plan = makePlan();
    const [visit = assert.fail()] = visitsOf(plan);
    visit.load.latency = timings([10_000, 20_000, 90_000]);
    visit.load.firstByte = timings([1000, 2000, 9000]);
    Object.assign(visit.load, {
      windowMs: 2000,
      completed: 3,
      inFlightMs: 100_000,
      waitingMs: 20_000,
      longestGapMs: 700,
    });
    visit.load.bodyBytes = { sum: 900, min: 290, max: 310 };
    visit.load.errors = { refused: 1, reset: 2, closedInHead: 3, closedInBody: 4, unparsable: 5, timeout: 6 };
    visit.load.invalid = { length: 1, sentinel: 2, nonce: 3, connectionClose: 4, noFraming: 5, interim: 6 };
    visit.load.non2xx = 8;
    visit.load.workers = [
      { connections: 32, cpus: [1], sent: 0, completed: 0, failed: 0, cpuMs: 500, cpuIntervalMs: 2000 },
      { connections: 32, cpus: [1], sent: 0, completed: 0, failed: 0, cpuMs: 700, cpuIntervalMs: 2000 },
    ];
    visit.sampled.rss = [
      { atMs: -1, bytes: 900 * 2 ** 20, processes: 1 },
      { atMs: 0, bytes: 50 * 2 ** 20, processes: 1 },
      { atMs: 1000, bytes: 80 * 2 ** 20, processes: 1 },
      { atMs: 2001, bytes: 900 * 2 ** 20, processes: 1 },
    ];
    visit.sampled.pss = [{ atMs: 0, bytes: 40 * 2 ** 20 }];
    visit.sampled.vmHwmBytes = 100 * 2 ** 20;
    visit.sampled.cpu = { userMs: 1500, systemMs: 540, intervalMs: 2040 };
    const cpus = { user: 150, nice: 6, system: 50, idle: 0, iowait: 0, irq: 1, softirq: 9, steal: 4 };
    visit.sampled.serverCpuTicks = { cpus: [0], ...cpus };

    const row = measured(rowsOf(plan, [visit])[0]);
    assert.equal(row.completedRps, 1.5);
    assert.deepEqual(row.latencyMs, { mean: 40, p50: 20.015, p95: 90, p99: 90, max: 90 });
    assert.deepEqual(row.firstByteMs, { mean: 4, p50: 2, p95: 9, p99: 9, max: 9 });
    assert.equal(row.longestGapMs, 700);
    assert.equal(row.inFlight, 60);
    assert.deepEqual(row.responseBytes, { mean: 300, min: 290, max: 310 });
    assert.equal(row.errors, 21);
    assert.equal(row.timeouts, 6);
    assert.equal(row.non2xx, 8);
    assert.equal(row.invalidBodies, 21);
    assert.equal(row.loadStatus, "overloaded");
    assert.equal(row.loadBusy, 0.6, "the sum of both workers on their one CPU");
    assert.equal(row.peakRssMiB, 80, "samples outside the window don't count");
    assert.equal(row.peakPssMiB, 40);
    assert.equal(row.vmHwmMiB, 100);
    assert.equal(row.samples, 4);
    assert.deepEqual(row.serverBusy, { total: 1, user: 1500 / 2040, system: 540 / 2040 });
    assert.equal(row.cpuUsPerResponse, 2_000_000 / 3, "one CPU for the window's 2 s");
    assert.equal(row.othersShare, 0, "never below 0, and softirq is not others'");
    assert.equal(row.chunksPerResponse, 4);
    assert.deepEqual(
      row.probes.map(({ connections }) => connections),
      [64, 128, 64],
    );
  });

  it("takes others' share from the CPU's own ticks, steal included", () => {
    const plan = makePlan();
    const [visit = assert.fail()] = visitsOf(plan);
    visit.sampled.cpu = { userMs: 1500, systemMs: 300, intervalMs: 3000 };
    const ticks = { nice: 10, idle: 20, iowait: 0, irq: 0, softirq: 20, steal: 20 };
    visit.sampled.serverCpuTicks = { cpus: [0], user: 180, system: 50, ...ticks };
    const row = measured(rowsOf(plan, [visit])[0]);
    assert.ok(Math.abs(row.othersShare - (260 / 300 - 0.6)) < 1e-12);
  });

  it("takes the server off the load CPUs' others where it shares them", () => {
    const [visit = assert.fail()] = visitsOf(makePlan());
    visit.sampled.loadCpuTicks = {
      ...visit.sampled.loadCpuTicks,
      user: 290,
      system: 0,
      idle: 0,
      softirq: 10,
    };
    const apart = loadOthersShare(visit);
    visit.sampled.loadCpuTicks.cpus = [0];
    assert.ok(apart > 0.2);
    assert.equal(loadOthersShare(visit), 0);
  });

  it("has a reason for every figure that is null, and never a 0 in its place", () => {
    const plan = makePlan();
    const [visit = assert.fail()] = visitsOf(plan);
    visit.load.completed = 0;
    visit.load.latency = timings([]);
    visit.load.firstByte = timings([]);
    visit.load.bodyBytes = { sum: 0, min: null, max: null };
    visit.sampled.pss = [];
    visit.sampled.pssMissing = "smaps_rollup can't be read: EACCES";
    visit.sampled.vmHwmBytes = null;
    const row = measured(rowsOf(plan, [visit])[0]);
    const nothing = "round 1: nothing completed in the window";
    assert.deepEqual(row.nullReasons, {
      ...Object.fromEntries(
        ["latencyMs", "firstByteMs"].flatMap((name) =>
          ["mean", "p50", "p95", "p99", "max"].map((key) => [`${name}.${key}`, nothing]),
        ),
      ),
      "responseBytes.mean": nothing,
      "responseBytes.min": nothing,
      "responseBytes.max": nothing,
      cpuUsPerResponse: nothing,
      peakPssMiB: "round 1: smaps_rollup can't be read: EACCES",
      vmHwmMiB: "round 1: VmHWM couldn't be read",
    });
    assert.equal(row.latencyMs.p50, null);
    assert.equal(row.completedRps, 0, "that nothing completed is known");
  });

  it("gives medians over the rounds, a range below six and an interval from then on", () => {
    for (const rounds of [1, 2, 5, 6, 10]) {
      const plan = makePlan({ rounds });
      const visits = visitsOf(plan);
      for (const [nth, visit] of visits.entries()) visit.server.startMs = 100 + ((nth * 7) % rounds);
      const row = measured(rowsOf(plan, visits)[0]);
      assert.equal(row.attempts, rounds);
      assert.equal(row.startMs, 100 + (rounds - 1) / 2);
      const { startMs } = row.spread;
      if (rounds === 1) assert.deepEqual(row.spread, {});
      else if (rounds < 6) assert.deepEqual(startMs, { low: 100, high: 99 + rounds, level: null });
      else if (rounds === 6) assert.deepEqual(startMs, { low: 100, high: 105, level: 0.96875 });
      else assert.deepEqual(startMs, { low: 101, high: 108, level: 0.978515625 });
    }
  });

  it("is null over the rounds where one round is null, and says which", () => {
    const plan = makePlan({ rounds: 3 });
    const visits = visitsOf(plan);
    (visits[1] ?? assert.fail()).sampled.vmHwmBytes = null;
    const row = measured(rowsOf(plan, visits)[0]);
    assert.equal(row.vmHwmMiB, null);
    assert.equal(row.nullReasons.vmHwmMiB, "round 2: VmHWM couldn't be read");
    assert.equal(row.spread.vmHwmMiB, undefined);
  });

  it("has the worst warm-up and any load error of all rounds", () => {
    const plan = makePlan({ rounds: 3 });
    const visits = visitsOf(plan);
    (visits[1] ?? assert.fail()).warm.status = "extended";
    (visits[2] ?? assert.fail()).load.errors.reset = 1;
    const row = measured(rowsOf(plan, visits)[0]);
    assert.equal(row.warmStatus, "extended");
    assert.equal(row.loadStatus, "overloaded");
    assert.equal(row.rankable, false);
  });

  it("makes a failed row of a cell with any failed visit, of the first failure", () => {
    const plan = makePlan({ rounds: 4 });
    const visits: Visit[] = visitsOf(plan).map((visit) =>
      visit.round === 1 || visit.round === 4 ? visit : failedVisit(visit, `round ${visit.round}`),
    );
    assert.deepEqual(rowsOf(plan, visits.reverse()), [
      {
        status: "failed",
        adapter: "alpha",
        responseMode: "progressive",
        attempts: 4,
        measuredRounds: 2,
        failure: { stage: "measure", code: "server-exit", message: "round 2", hint: "Look at its output." },
      },
    ]);
  });

  it("has a row for every cell of the plan in its order, also where the run never came to it", () => {
    const plan = makePlan({ adapters: ["alpha", "beta"], responseModes: ["progressive", "complete"] });
    const visits = visitsOf(plan).filter(({ adapter }) => adapter === "alpha");
    const rows = rowsOf(plan, [
      ...visits,
      {
        status: "skipped",
        adapter: "beta",
        responseMode: "complete",
        round: 1,
        telemetry: true,
        reason: "the run was interrupted",
      },
    ]);
    assert.deepEqual(
      rows.map(({ adapter, responseMode, status }) => `${adapter}/${responseMode} ${status}`),
      [
        "alpha/progressive measured",
        "alpha/complete measured",
        "beta/progressive failed",
        "beta/complete failed",
      ],
    );
    const last = rows.at(-1);
    assert.ok(last?.status === "failed");
    assert.deepEqual([last.failure.code, last.failure.message], ["interrupted", "the run was interrupted"]);
  });

  it("leaves out the arm of a control that has no sampler, failed or not", () => {
    const plan = makePlan({ rounds: 2, control: "telemetry" });
    const visits = visitsOf(plan);
    const withOnly = rowsOf(
      plan,
      visits.filter(({ telemetry }) => telemetry),
    );
    const broken = visits.map((visit) => (visit.telemetry ? visit : failedVisit(visit, "gone")));
    assert.deepEqual(rowsOf(plan, broken), withOnly);
    assert.equal(measured(withOnly[0]).attempts, 2);
  });
});
