import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildLoadReport } from "./build.ts";
import type { LoadReport } from "./schema.ts";
import { makePlan, makeReport } from "./testing/right-report.ts";

const BOTH = makePlan({ adapters: ["alpha", "beta"], responseModes: ["progressive", "complete"], rounds: 2 });

function rebuilt({ plan, provenance, visits, contractVersion }: LoadReport, kept = visits): LoadReport {
  return buildLoadReport({ plan, provenance, visits: kept, contractVersion });
}

describe("buildLoadReport", () => {
  it("is complete and ok where nothing warned and every figure is there", () => {
    const report = makeReport(BOTH);
    assert.equal(report.kind, "ssr-load");
    assert.equal(report.responseMode, "both");
    assert.equal(report.status, "complete");
    assert.equal(report.metricsStatus, "ok");
    assert.equal(report.control, null);
    assert.deepEqual(report.warnings, []);
    assert.deepEqual(
      report.rows.map(({ adapter, responseMode }) => `${adapter}/${responseMode}`),
      ["alpha/progressive", "alpha/complete", "beta/progressive", "beta/complete"],
    );
    assert.deepEqual(report.visits.length, 8);
  });

  it("has the plan's own mode where there is one", () => {
    assert.equal(makeReport(makePlan({ responseModes: ["complete"] })).responseMode, "complete");
  });

  it("is partial where something warned", () => {
    const report = makeReport(BOTH, (visit) => ({
      ...visit,
      warnings: [
        { code: "killed", cell: `${visit.adapter}/${visit.responseMode}`, message: "it was killed" },
      ],
    }));
    assert.equal(report.status, "partial");
    assert.equal(report.metricsStatus, "ok");
    assert.equal(report.warnings.length, 4, "each once");
  });

  it("is partial where a visit is missing, and incomplete where a cell is", () => {
    const report = makeReport(BOTH);
    const oneLess = rebuilt(report, report.visits.slice(0, -1));
    assert.equal(oneLess.status, "partial");
    assert.equal(oneLess.metricsStatus, "ok");
    const alphaOnly = report.visits.filter(({ adapter }) => adapter === "alpha");
    assert.equal(rebuilt(report, alphaOnly).metricsStatus, "incomplete");
    assert.equal(rebuilt(report, alphaOnly).rows.length, 4);
  });

  it("is incomplete where a figure is null", () => {
    const report = makeReport(makePlan(), (visit) => {
      visit.sampled.pss = [];
      visit.sampled.pssMissing = "smaps_rollup can't be read";
      return visit;
    });
    assert.equal(report.metricsStatus, "incomplete");
    assert.equal(report.status, "complete");
  });

  it("gives the sampler's cost from the pairs of a telemetry control", () => {
    const plan = makePlan({ rounds: 6, control: "telemetry" });
    const report = makeReport(plan, (visit) => {
      if (visit.telemetry) visit.load.completed = 90 + visit.round;
      else visit.load.completed = 100;
      visit.load.windowMs = 3000;
      return visit;
    });
    const [cell] = report.control?.cells ?? [];
    assert.ok(cell);
    assert.equal(cell.pairs, 6);
    assert.ok(Math.abs(cell.rpsRatio - 0.935) < 1e-12);
    assert.deepEqual(
      [cell.low, cell.high].map((ratio) => ratio.toFixed(6)),
      ["0.910000", "0.960000"],
    );
    assert.equal(cell.level, 0.96875);
    assert.equal(cell.samplerCpuUsPerSample, 1000);
  });

  it("leaves a pair out whose other half failed", () => {
    const plan = makePlan({ rounds: 2, control: "telemetry" });
    const report = makeReport(plan, (visit) => {
      if (visit.telemetry || visit.round === 1) return visit;
      const { adapter, responseMode, round, telemetry, timing } = visit;
      const failure = { stage: "start", code: "start-timeout", message: "it didn't answer", hint: "Look." };
      return { status: "failed", adapter, responseMode, round, telemetry, timing, failure };
    });
    assert.equal(report.control?.cells[0]?.pairs, 1);
    assert.equal(report.control?.cells[0]?.level, null);
    assert.equal(report.rows[0]?.status, "measured");
    assert.equal(report.status, "partial");
  });
});
