import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cellName, cellsOf, orderOf } from "./order.ts";
import { makePlan } from "./testing/right-report.ts";

const PLAN = makePlan({
  adapters: ["alpha", "beta", "gamma", "delta"],
  responseModes: ["progressive", "complete"],
  rounds: 6,
});

describe("orderOf", () => {
  it("has every cell once in each round, rounds outermost", () => {
    const order = orderOf(PLAN);
    assert.equal(order.length, 48);
    for (let round = 1; round <= 6; round += 1) {
      const visits = order.slice((round - 1) * 8, round * 8);
      assert.ok(visits.every((visit) => visit.round === round && visit.telemetry));
      assert.deepEqual(visits.map(cellName).sort(), cellsOf(PLAN).map(cellName).sort());
    }
  });

  it("is the same for the same seed, and differs between seeds and between rounds", () => {
    const names = (seed: number) => orderOf({ ...PLAN, seed }).map(cellName);
    assert.deepEqual(names(1), names(1));
    assert.notDeepEqual(names(1), names(2));
    assert.notDeepEqual(names(1).slice(0, 8), names(1).slice(8, 16));
  });

  it("puts every cell at every place about as often", () => {
    const rounds = 4000;
    const order = orderOf({ ...PLAN, rounds, responseModes: ["complete"] });
    const first = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const { adapter } = order[round * 4] ?? assert.fail();
      first.set(adapter, (first.get(adapter) ?? 0) + 1);
    }
    for (const [adapter, times] of first)
      assert.ok(Math.abs(times - 1000) < 150, `${adapter} ${times} times`);
  });

  it("puts both arms of a telemetry control beside each other, the first alternating", () => {
    const order = orderOf({ ...PLAN, control: "telemetry" });
    assert.equal(order.length, 96);
    const firstArms = new Map<string, boolean[]>();
    for (let at = 0; at < order.length; at += 2) {
      const [one, other] = [order[at] ?? assert.fail(), order[at + 1] ?? assert.fail()];
      assert.equal(cellName(one), cellName(other));
      assert.equal(one.round, other.round);
      assert.notEqual(one.telemetry, other.telemetry);
      firstArms.set(cellName(one), [...(firstArms.get(cellName(one)) ?? []), one.telemetry]);
    }
    for (const arms of firstArms.values()) {
      assert.ok(arms.every((arm, index) => index === 0 || arm !== arms[index - 1]));
    }
  });
});
