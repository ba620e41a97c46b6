import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeHistogram } from "../../report/histogram.ts";
import { loadReadingsSchema, probeSchema, warmSchema } from "../../report/schema.ts";
import type { WorkerWindow } from "./messages.ts";
import { longestGapMs, perSecond, poolProbe, poolReadings, poolTimings, poolWarm } from "./pool.ts";
import { Tally } from "./tally.ts";

const EDGES = { startMs: 1000, endMs: 3500 };

function workerWindow(endsMs: readonly number[], bodyBytes: number): WorkerWindow {
  const tally = new Tally(EDGES.startMs, EDGES.endMs);
  for (const endMs of endsMs) {
    tally.add({
      kind: "exchange",
      slot: 0,
      startMs: endMs - 5,
      firstByteMs: endMs - 1,
      endMs,
      outcome: { kind: "completed" },
      bodyBytes,
    });
  }
  return {
    kind: "readings",
    ...tally.counts(2),
    connections: 2,
    cpuMs: 10,
    cpuIntervalMs: 2500,
    kept: [],
  };
}

test("readings of two workers are pooled, not averaged", () => {
  const load = poolReadings(
    [
      { window: workerWindow([1100, 2100], 50), cpus: [1] },
      { window: workerWindow([1500, 2900, 3400], 70), cpus: [2] },
    ],
    EDGES,
  );
  loadReadingsSchema.parse(load);
  assert.equal(load.windowMs, 2500);
  assert.equal(load.completed, 5);
  assert.equal(load.connections, 4);
  assert.equal(load.starvedConnections, 2);
  assert.deepEqual(load.bodyBytes, { sum: 310, min: 50, max: 70 });
  // Alone, the workers' longest gaps are 1400 and 1400 ms.
  assert.equal(load.longestGapMs, 800);
  assert.deepEqual(load.completionsPerSecond, [2, 2]);
  assert.deepEqual([load.latency.count, load.latency.sumUs, load.latency.maxUs], [5, 25_000, 5_000]);
  assert.deepEqual(
    load.workers.map(({ completed, cpus }) => [completed, cpus]),
    [
      [2, [1]],
      [3, [2]],
    ],
  );
});

test("nothing completed: no least, no most, an empty histogram and one long gap", () => {
  const load = poolReadings([{ window: workerWindow([], 0), cpus: [1] }], EDGES);
  loadReadingsSchema.parse(load);
  assert.deepEqual(load.bodyBytes, { sum: 0, min: null, max: null });
  assert.equal(load.longestGapMs, 2500);
  const decoded = decodeHistogram(load.latency.histogram);
  assert.ok(decoded.ok);
  assert.equal(decoded.histogram.total, 0);
});

test("probe and warm-up have the report's shape", () => {
  const windows = [workerWindow([900, 1100, 1200], 50), workerWindow([950, 1300], 50)];
  const probe = probeSchema.parse(poolProbe(windows, EDGES));
  assert.equal(probe.completedRps, 1.2);
  const warm = warmSchema.parse(poolWarm(windows, { status: "ok", durationMs: 3000, allAnsweredMs: 12 }));
  assert.equal(warm.completed, 2);
});

test("a probe's errors are all that wasn't a right answer", () => {
  const window = workerWindow([1100], 0);
  const errors = { ...window.errors, reset: 1, timeout: 2 };
  const invalid = { ...window.invalid, nonce: 8 };
  const probe = poolProbe([{ ...window, errors, non2xx: 4, invalid }], EDGES);
  assert.deepEqual([probe.errors, probe.timeouts], [15, 2]);
});

test("the longest gap includes the edges, and needs no order", () => {
  assert.equal(longestGapMs(Float64Array.of(), EDGES), 2500);
  assert.equal(longestGapMs(Float64Array.of(2600, 1900), EDGES), 900);
  assert.equal(longestGapMs(Float64Array.of(1900, 1200, 3400), EDGES), 1500);
  assert.equal(longestGapMs(Float64Array.of(1100, 1300), EDGES), 2200);
});

test("the last, shorter second is left out", () => {
  assert.deepEqual(perSecond(Float64Array.of(1000, 1999.9, 2000, 3000, 3499), EDGES), [2, 1]);
  assert.deepEqual(perSecond(Float64Array.of(1000), { startMs: 1000, endMs: 1700 }), []);
});

test("a histogram holds every count after its journey as text, from microseconds to minutes", () => {
  const readings = [1, 2, 999, 2047, 2048, 4_097, 65_536, 1_000_000, 10_250_000, 60_000_001, 600_000_000];
  const half = readings.length >> 1;
  const timings = poolTimings([
    Float64Array.from(readings.slice(0, half)),
    Float64Array.from(readings.slice(half)),
  ]);
  assert.equal(timings.count, readings.length);
  assert.equal(timings.maxUs, 600_000_000);
  const decoded = decodeHistogram(timings.histogram);
  assert.ok(decoded.ok);
  assert.equal(decoded.histogram.total, readings.length);
  for (const [index, reading] of readings.entries()) {
    const seen = decoded.histogram.percentileUs((index + 1) / readings.length);
    assert.ok(Math.abs(seen - reading) <= reading / 1000, `${seen} for ${reading}`);
  }
});
