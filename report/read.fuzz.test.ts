/** Random and mutated text against the reports' reader and verifier: nothing throws, and no row can be changed. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FUZZ, mutated } from "../harness/test/fuzz.ts";
import { differences } from "./differences.ts";
import { decodeHistogram } from "./histogram.ts";
import { checkLoadReport, readLoadReport } from "./read.ts";
import type { LoadReport, Problem } from "./schema.ts";
import { makePlan, makeReport } from "./testing/right-report.ts";
import { verifyLoadReport } from "./verify.ts";

const REPORT = makeReport(makePlan({ adapters: ["alpha", "beta"], windowMs: 1000 }));
const BYTES = Buffer.from(JSON.stringify(REPORT));

/** Null where it is refused, as data. */
function believed(text: string): LoadReport | null {
  const read = readLoadReport(text);
  const problems: readonly Problem[] = read.ok ? verifyLoadReport(read.report) : read.problems;
  assert.ok(problems.every(({ rule, expected, seen }) => rule !== "" && expected !== "" && seen !== ""));
  return read.ok && problems.length === 0 ? read.report : null;
}

describe("the reports' reader", () => {
  it("believes the report that is mutated below", () => assert.ok(believed(BYTES.toString()) !== null));

  it("believes no random text and no random JSON", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json({ maxDepth: 6 })), (text) => {
        assert.equal(believed(text), null);
      }),
      FUZZ,
    );
  });

  it("believes no mutated text with other rows in it", () => {
    fc.assert(
      fc.property(mutated(fc.constant(BYTES)), (bytes) => {
        const report = believed(Buffer.from(bytes).toString("utf8"));
        if (report !== null) assert.deepEqual(differences("rows", REPORT.rows, report.rows), []);
      }),
      { ...FUZZ, numRuns: 300 },
    );
  });

  it("believes no report with other rows for a digit of its text that was changed", () => {
    const text = BYTES.toString("latin1");
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index);
    fc.assert(
      fc.property(fc.constantFrom(...digits), fc.nat(9), (at, digit) => {
        const report = believed(`${text.slice(0, at)}${digit}${text.slice(at + 1)}`);
        if (report !== null) assert.deepEqual(differences("rows", REPORT.rows, report.rows), []);
      }),
      { ...FUZZ, numRuns: 150 },
    );
  });

  it("believes no report with other rows for any value in the place of one of its fields", () => {
    const fields = pathsOf(REPORT);
    const value = fc.oneof(
      fc.jsonValue(),
      fc.integer(),
      fc.double(),
      fc.constantFrom(-0, 1e308, Number.NaN, "", null),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fields), value, (path, other) => {
        const read = checkLoadReport(withValue(REPORT, path, other));
        if (!read.ok || verifyLoadReport(read.report).length > 0) return;
        assert.deepEqual(differences("rows", REPORT.rows, read.report.rows), [], path.join("."));
      }),
      { ...FUZZ, numRuns: 600 },
    );
  });

  it("believes nothing nested without an end", () => {
    assert.equal(believed(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), null);
    assert.equal(
      believed(
        `{"kind":"ssr-load","schemaVersion":1,"plan":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
      ),
      null,
    );
  });

  it("falls over no plan of a billion rounds, and no list with hundreds of thousands of readings", () => {
    const huge = structuredClone(REPORT);
    const [visit] = huge.visits;
    assert.ok(visit?.status === "measured");
    const { load, sampled } = visit;
    for (let nth = 0; nth < 150_000; nth += 1) {
      sampled.rss.push({ atMs: 1, bytes: 1, processes: 1 });
      sampled.pss.push({ atMs: 1, bytes: 1 });
      load.completionsPerSecond.push(0);
    }
    assert.equal(believed(JSON.stringify(huge)), null);
    const endless = { ...REPORT, plan: { ...REPORT.plan, rounds: 1_000_000_000 } };
    assert.equal(believed(JSON.stringify(endless)), null);
  });

  it("unfolds no histogram far larger than any", () => {
    const decoded = decodeHistogram("A".repeat(300_000));
    assert.match(decoded.ok ? "" : decoded.problem.seen, /^300000 characters$/);
  });

  it("reads no random bytes as a histogram with anything in it, and throws at none", () => {
    const [visit] = REPORT.visits;
    assert.ok(visit?.status === "measured");
    const right = Buffer.from(visit.load.latency.histogram, "base64");
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated(fc.constant(right))), (bytes) => {
        const decoded = decodeHistogram(Buffer.from(bytes).toString("base64"));
        if (!decoded.ok) return assert.notEqual(decoded.problem.seen, "");
        const { total, sumUs, maxUs, percentileUs } = decoded.histogram;
        assert.ok(Number.isFinite(total) && sumUs.low <= sumUs.high && maxUs.low <= maxUs.high);
        assert.ok(percentileUs(1) <= maxUs.high);
      }),
      { ...FUZZ, numRuns: 300 },
    );
  });
});

type Path = readonly (string | number)[];

/** Every field, whatever it holds. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [
    [...at, key],
    ...pathsOf((value as Record<string | number, unknown>)[key], [...at, key]),
  ]);
}

function withValue(report: LoadReport, path: Path, value: unknown): unknown {
  const copy: unknown = structuredClone(report);
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key];
  (holder as Record<string | number, unknown>)[path.at(-1) as string | number] = value;
  return copy;
}
