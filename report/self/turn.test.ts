import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlan, makeReport } from "../testing/right-report.ts";
import { turnFigures } from "./turn.ts";

const report = makeReport(makePlan());
const [visit] = report.visits;
const [row] = report.rows;
assert.ok(visit?.status === "measured" && row?.status === "measured");

test("a turn's figures are those that a row has of the same readings", () => {
  const figures = turnFigures(visit);
  assert.equal(figures.completedRps, row.completedRps);
  assert.deepEqual(figures.latencyMs, row.latencyMs);
  assert.ok(Math.abs(figures.serverCpuUs - (row.cpuUsPerResponse as number)) < 1e-9);
  assert.equal(figures.loadBusy, row.loadBusy);
  assert.equal(figures.othersShare, row.othersShare);
});

test("the workers' CPU time is that of all of them for each response", () => {
  const { load } = visit;
  const workers = load.workers.map((worker) => ({ ...worker, cpuMs: 600, cpuIntervalMs: 3000 }));
  const figures = turnFigures({ ...visit, load: { ...load, windowMs: 3000, completed: 6000, workers } });
  assert.ok(Math.abs(figures.workerCpuUs - (workers.length * 600_000) / 6000) < 1e-9);
});

test("the sampler's share is of the window, and null where it was off", () => {
  const sampled = { ...visit.sampled, samplerCpuMs: 6 };
  assert.equal(turnFigures({ load: { ...visit.load, windowMs: 3000 }, sampled }).samplerShare, 0.002);
  assert.equal(turnFigures({ ...visit, sampled: { ...sampled, samplerCpuMs: null } }).samplerShare, null);
});

test("nothing completed has no figures", () => {
  const load = { ...visit.load, completed: 0, latency: { ...visit.load.latency, count: 0 } };
  assert.throws(() => turnFigures({ ...visit, load }), RangeError);
});
