import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { STEP_COUNT as CONTRACT_STEPS, planSteps } from "../../todo/contract/steps.ts";
import { makeBrowserPlan, makeBrowserReport } from "../testing/right-browser-report.ts";
import { browserFiguresOf, UNTIMED_STEP } from "./figures.ts";
import { browserOrderOf } from "./order.ts";
import { STEP_COUNT } from "./schema.ts";

const TEN = makeBrowserPlan({ adapters: ["alpha", "beta"], rounds: 10 });
const STEPS = planSteps("2026-09-11T22:49:49.677Z", 1);

/** A report in which step n takes n ms in round 1, and 100 ms more in each round after it. */
const counted = (rounds: number) =>
  makeBrowserReport(makeBrowserPlan({ rounds }), (visit) => {
    for (const step of visit.steps.slice(1)) {
      if (step.ms !== null) step.ms = step.n + 100 * (visit.round - 1);
    }
    return visit;
  });

describe("the figures of a visit", () => {
  it("have the contract's steps: their number, the one without a time, and what belongs to which sum", () => {
    assert.equal(STEP_COUNT, CONTRACT_STEPS);
    const untimed = STEPS.filter(({ settles }) => settles === "two-frames").map(({ n }) => n);
    assert.deepEqual(untimed, [UNTIMED_STEP]);
    const [visit] = counted(1).visits;
    assert.ok(visit);
    const figures = browserFiguresOf(visit);
    const sumOf = (group: string) =>
      STEPS.filter((step) => step.group === group && step.n !== UNTIMED_STEP).reduce(
        (sum, { n }) => sum + n,
        0,
      );
    assert.equal(figures.get("interactionMs"), sumOf("interaction"));
    assert.equal(figures.get("navigationMs"), sumOf("navigation"));
  });

  it("have no sum where a step has no time", () => {
    const report = makeBrowserReport(makeBrowserPlan(), (visit) => {
      const step = visit.steps[19] ?? assert.fail();
      step.ms = null;
      return visit;
    });
    const [row] = report.rows;
    assert.deepEqual(row?.navigationMs, { median: null, low: null, high: null, level: null });
    assert.equal(row?.nullReasons.navigationMs, "round 1: step 20 has no time");
    assert.equal(typeof row?.interactionMs.median, "number");
    assert.equal(report.metricsStatus, "incomplete");
  });
});

describe("browserRowsOf", () => {
  it("gives the sums' medians over the rounds, not the sums of the medians' steps", () => {
    const report = makeBrowserReport(makeBrowserPlan({ rounds: 3 }), (visit) => {
      const slow = visit.steps[visit.round] ?? assert.fail();
      for (const step of visit.steps.slice(1)) if (step.ms !== null) step.ms = 1;
      slow.ms = 100;
      return visit;
    });
    const timedInteractions = 20;
    assert.equal(report.rows[0]?.interactionMs.median, timedInteractions - 1 + 100);
    assert.equal(report.rows[0]?.stepMs[1]?.median, 1);
  });

  it("has the order-statistic interval from six rounds on: of ten the second and the ninth", () => {
    const [row] = counted(10).rows;
    const { median, low, high, level } = row?.stepMs[7] ?? assert.fail();
    assert.deepEqual([median, low, high], [8 + 450, 8 + 100, 8 + 800]);
    assert.ok(Math.abs((level ?? 0) - 0.978515625) < 1e-12);
  });

  it("has the range and no level below six, and the figure itself with one", () => {
    assert.deepEqual(counted(3).rows[0]?.stepMs[7], { median: 108, low: 8, high: 208, level: null });
    assert.deepEqual(counted(1).rows[0]?.stepMs[7], { median: 8, low: 8, high: 8, level: null });
  });

  it("has no time for the fifth step, with the reason, and is whole all the same", () => {
    const report = makeBrowserReport(TEN);
    const [row] = report.rows;
    assert.deepEqual(row?.stepMs[4], { median: null, low: null, high: null, level: null });
    assert.match(row?.nullReasons["stepMs.4"] ?? "", /no time is taken/);
    assert.deepEqual([report.status, report.metricsStatus], ["complete", "ok"]);
  });

  it("is null with the round's reason where one round has no reading", () => {
    const report = makeBrowserReport(TEN, (visit) => {
      if (visit.adapter === "beta" && visit.round === 4) {
        visit.metrics.inpMs = null;
        visit.nullReasons.inpMs = "no interaction was long enough";
      }
      return visit;
    });
    const [alpha, beta] = report.rows;
    assert.equal(typeof alpha?.inpMs.median, "number");
    assert.equal(beta?.inpMs.median, null);
    assert.equal(beta?.nullReasons.inpMs, "round 4: no interaction was long enough");
  });

  it("leaves out a product that an interrupted run never came to, and warns of it", () => {
    const plan = makeBrowserPlan({ adapters: ["alpha", "beta"], rounds: 2 });
    const [first] = browserOrderOf(plan);
    const report = makeBrowserReport(plan, (visit) => visit, 1);
    assert.deepEqual(
      report.rows.map(({ adapter, rounds }) => [adapter, rounds]),
      [[first?.adapter, 1]],
    );
    assert.deepEqual(
      report.warnings.map(({ code, cell, message }) => [code, cell, message.slice(0, 6)]).sort(),
      ["alpha", "beta"].map((adapter) => [
        "skipped",
        `${adapter}/progressive`,
        adapter === first?.adapter ? "1 of 2" : "2 of 2",
      ]),
    );
    assert.deepEqual([report.status, report.metricsStatus], ["partial", "incomplete"]);
  });
});

describe("browserOrderOf", () => {
  it("visits every product once a round, rounds outermost, with one seed for the steps of a round", () => {
    const plan = makeBrowserPlan({ adapters: ["a", "b", "c"], rounds: 10 });
    const order = browserOrderOf(plan);
    const rounds = Map.groupBy(order, ({ round }) => round);
    assert.deepEqual(
      [...rounds.keys()],
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
    for (const visits of rounds.values()) {
      assert.deepEqual(visits.map(({ adapter }) => adapter).sort(), ["a", "b", "c"]);
      assert.equal(new Set(visits.map(({ stepSeed }) => stepSeed)).size, 1);
    }
    assert.equal(new Set(order.map(({ stepSeed }) => stepSeed)).size, 10);
    const orders = new Set([...rounds.values()].map((visits) => visits.map(({ adapter }) => adapter).join()));
    assert.ok(orders.size > 1, "the order changes from round to round");
    assert.deepEqual(browserOrderOf(plan), order);
    assert.notDeepEqual(browserOrderOf({ ...plan, seed: plan.seed + 1 }), order);
  });
});
