import assert from "node:assert/strict";
import { test } from "node:test";
import { type Gathered, noReadings, readingsOf } from "./metrics.ts";

const MEMORY = { jsHeapBytes: 1, rendererRssBytes: 2, rendererPssBytes: 3, missing: null };
const WHOLE: Gathered = {
  vitals: { TTFB: 1, FCP: 2, LCP: 3, CLS: 0, INP: 24 },
  readyMs: 5,
  jsTransferBytes: 6,
  atReady: MEMORY,
  atEnd: MEMORY,
};

test("a whole visit has all its readings, zeros among them", () => {
  const { metrics, nullReasons } = readingsOf(WHOLE);
  assert.deepEqual(nullReasons, {});
  assert.deepEqual([metrics.ttfbMs, metrics.cls, metrics.inpMs, metrics.rendererPssEndBytes], [1, 0, 24, 3]);
});

test("what is missing is null, with its reason", () => {
  const atEnd = { jsHeapBytes: 1, rendererRssBytes: null, rendererPssBytes: null, missing: "EACCES" };
  const { metrics, nullReasons } = readingsOf({ ...WHOLE, vitals: {}, readyMs: null, atEnd });
  assert.equal(metrics.lcpMs, null);
  assert.deepEqual(nullReasons, {
    ttfbMs: "the browser reported none",
    fcpMs: "the browser reported none",
    lcpMs: "the browser reported none",
    cls: "the browser reported none",
    inpMs: "the browser reported none",
    readyMs: "the page was never ready",
    rendererRssEndBytes: "EACCES",
    rendererPssEndBytes: "EACCES",
  });
});

test("where none are taken, each says why", () => {
  const { metrics, nullReasons } = noReadings("wrong");
  assert.deepEqual(Object.keys(metrics), Object.keys(readingsOf(WHOLE).metrics));
  assert.deepEqual(Object.keys(nullReasons), Object.keys(metrics));
  assert.ok(Object.values(metrics).every((value) => value === null));
});
