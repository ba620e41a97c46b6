import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { decodeHistogram, latencyFigures } from "./histogram.ts";
import { timings } from "./testing/right-report.ts";

const READINGS = Array.from({ length: 1000 }, (_, index) => (index + 1) * 137);

describe("decodeHistogram", () => {
  it("gives total, bounds and percentiles within three digits", () => {
    const decoded = decodeHistogram(timings(READINGS).histogram);
    assert.ok(decoded.ok);
    const { histogram } = decoded;
    const total = READINGS.reduce((all, us) => all + us, 0);
    assert.equal(histogram.total, 1000);
    assert.ok(histogram.sumUs.low <= total && total <= histogram.sumUs.high);
    assert.ok((histogram.sumUs.high - histogram.sumUs.low) / total < 0.001);
    assert.ok(histogram.maxUs.low <= 137_000 && 137_000 <= histogram.maxUs.high);
    for (const p of [0.5, 0.95, 0.99]) {
      const exact = READINGS[Math.ceil(1000 * p) - 1] as number;
      assert.ok(Math.abs(histogram.percentileUs(p) - exact) / exact < 0.001, `P${p * 100}`);
    }
  });

  it("reads an empty histogram", () => {
    const decoded = decodeHistogram(timings([]).histogram);
    assert.ok(decoded.ok);
    assert.equal(decoded.histogram.total, 0);
    assert.deepEqual(decoded.histogram.maxUs, { low: 0, high: 0 });
  });

  it("reads one that grew while it was recorded", () => {
    const grown = build({ autoResize: true, lowestDiscernibleValue: 1, numberOfSignificantValueDigits: 3 });
    for (const us of [1, 5_000, 9_000_000]) grown.recordValue(us);
    const decoded = decodeHistogram(encodeIntoCompressedBase64(grown));
    assert.ok(decoded.ok);
    assert.equal(decoded.histogram.total, 3);
    assert.ok(decoded.histogram.maxUs.low <= 9_000_000 && 9_000_000 <= decoded.histogram.maxUs.high);
  });

  it("turns whatever isn't one into a problem", () => {
    const right = timings(READINGS).histogram;
    const wrong = [
      "",
      "A",
      "not base64 at all!",
      "AAAA",
      right.slice(0, 100),
      right.slice(0, -24),
      `${right.slice(0, 40)}AAAAAAAA${right.slice(48)}`,
      Buffer.from(right, "base64").reverse().toString("base64"),
    ];
    for (const text of wrong) {
      const decoded = decodeHistogram(text);
      assert.equal(decoded.ok, false, `${text.slice(0, 40)}…`);
      assert.ok(!decoded.ok && decoded.problem.seen.length > 0);
    }
  });

  it("refuses another precision or unit", () => {
    const coarse = build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: 1e6,
      numberOfSignificantValueDigits: 2,
    });
    const wide = build({
      lowestDiscernibleValue: 1000,
      highestTrackableValue: 1e6,
      numberOfSignificantValueDigits: 3,
    });
    for (const other of [coarse, wide]) {
      other.recordValue(5000);
      assert.equal(decodeHistogram(encodeIntoCompressedBase64(other)).ok, false);
    }
  });
});

describe("latencyFigures", () => {
  it("is in ms, mean and maximum exact, percentiles never above the maximum", () => {
    const figures = latencyFigures(timings([1000, 2000, 3001]));
    assert.deepEqual(figures, { mean: 2.000_333_333_333_333_3, p50: 2, p95: 3.001, p99: 3.001, max: 3.001 });
  });

  it("is null where nothing was recorded or the histogram can't be read", () => {
    assert.equal(latencyFigures(timings([])), null);
    assert.equal(latencyFigures({ ...timings([5]), histogram: "AAAA" }), null);
  });
});
