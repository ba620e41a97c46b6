import assert from "node:assert/strict";
import { test } from "node:test";
import { causesOf, medianFigure, ratioFigure, type SelfResult, type Target, verdictOf } from "./findings.ts";

const atMost = (limit: number): Target => ({ kind: "at-most", limit });
const within = (of: "value" | "interval", belowSteal: number | null): Target => ({
  kind: "within",
  centre: 1,
  tolerance: 0.03,
  of,
  belowSteal,
});

test("a figure of several readings is their median with its interval, of one it has no spread", () => {
  const figure = medianFigure("rate", "/s", [3, 1, 2, 6, 5, 4]);
  assert.equal(figure.value, 3.5);
  assert.deepEqual(figure.spread, { low: 1, high: 6, level: 1 - 2 * 0.5 ** 6, count: 6 });
  assert.equal(medianFigure("rate", "/s", [3]).spread, null);
  assert.throws(() => medianFigure("rate", "/s", []), RangeError);
});

test("a target is met, missed, or not asked for where the hypervisor took too much", () => {
  const figure = (value: number, target: Target | null, low = value, high = value) =>
    ratioFigure("rate", { ratio: value, low, high, level: null, pairs: 2 }, target);
  assert.equal(verdictOf(figure(2, null), 0), null);
  assert.equal(verdictOf(figure(2, atMost(2)), 0.5), "met");
  assert.equal(verdictOf(figure(2.1, atMost(2)), 0.5), "missed");
  assert.equal(verdictOf(figure(1.02, within("value", null), 0.5, 2), 0), "met");
  assert.equal(verdictOf(figure(1.02, within("interval", null), 0.96, 1.02), 0), "missed");
  assert.equal(verdictOf(figure(0.9, within("value", 0.01)), 0.009), "missed");
  assert.equal(verdictOf(figure(0.9, within("value", 0.01)), 0.01), "undecided");
  assert.equal(verdictOf(figure(1, within("value", 0.01)), 0.9), "met");
});

test("a miss names the machine before the benchmark's own suspects, and nothing is named where all is met", () => {
  const result = (value: number, stealShare: number, othersShares: number[]): SelfResult => ({
    benchmark: "one",
    about: "",
    suspects: "the moon",
    durationMs: 1,
    stealShare,
    outcome: {
      status: "measured",
      findings: { subject: "", figures: [medianFigure("cost", "µs", [value], atMost(1))], othersShares },
    },
  });
  assert.deepEqual(causesOf(result(1, 0.5, [0.9])), []);
  assert.deepEqual(causesOf(result(2, 0, [0.01])), ["the moon"]);
  const causes = causesOf(result(2, 0.02, [0.01, 0.06]));
  assert.match(causes.join("\n"), /^the hypervisor gave 2\.0 % .*\nothers took up to 6\.0 % .*\nthe moon$/);
});
