/** Servers whose fault shows under load only, or after it: whole visits, and the reason that the report gives. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type {
  Failure,
  MeasuredRow,
  MeasuredVisit,
  ResponseMode,
  RunPlan,
  VerdictReason,
} from "../../report/schema.ts";
import { findingsOf, warningsOf } from "../../report/verdicts.ts";
import { openZoo, type Visited, visitServer, type Zoo } from "./zoo.ts";

/** A fault that makes a row not rankable. */
interface RowCase {
  readonly fault: string;
  readonly modes: readonly ResponseMode[];
  readonly reason: VerdictReason;
  /** Of a kept reply that is wrong, where the reason rests on those: the first rule that it breaks. */
  readonly rule?: string;
  readonly plan?: Partial<RunPlan>;
}

const ROWS: readonly RowCase[] = [
  { fault: "wrong-by-connections", modes: ["progressive"], reason: "invalid", rule: "item-count" },
  { fault: "wrong-by-time", modes: ["complete"], reason: "invalid", rule: "item-count" },
  { fault: "framed-otherwise-by-load", modes: ["progressive"], reason: "invalid", rule: "progressive" },
  { fault: "framed-otherwise-by-load", modes: ["complete"], reason: "invalid", rule: "complete" },
  { fault: "plain-text-by-load", modes: ["progressive"], reason: "invalid", rule: "content-type" },
  { fault: "cached-by-load", modes: ["complete"], reason: "invalid", rule: "timestamp-window" },
  { fault: "cut-by-fin-1-in-50", modes: ["progressive"], reason: "overloaded" },
  { fault: "cut-by-rst-1-in-50", modes: ["complete"], reason: "overloaded" },
  // Long enough for a thousand answers on a slow machine.
  { fault: "bad-gateway-1-in-1000", modes: ["progressive"], reason: "invalid", plan: { windowMs: 4_000 } },
  { fault: "short-page-1-in-50", modes: ["complete"], reason: "inconsistent" },
  { fault: "silent-on-one", modes: ["progressive"], reason: "starved" },
  { fault: "silent-by-load", modes: ["complete"], reason: "overloaded", plan: { timeoutMs: 500 } },
];

/** A fault that the verifier meets after a load. */
const AFTERWARDS: readonly (readonly [fault: string, mode: ResponseMode])[] = [
  ["wrong-after-load", "progressive"],
  ["wrong-by-count", "complete"],
];

/** Servers that would be wrong for the load if they could tell it by what it sends. */
const TOLD_BY_NOTHING = ["wrong-by-head", "wrong-by-nonce"] as const;

function measured({ visit, row }: Visited): { visit: MeasuredVisit; row: MeasuredRow } {
  assert.ok(visit.status === "measured" && row.status === "measured", JSON.stringify(row));
  return { visit, row };
}

function failureOf({ row }: Visited): Failure {
  assert.ok(row.status === "failed", "the row was measured");
  return row.failure;
}

function assertSeenAfterwards(visited: Visited, rule: string): void {
  const { stage, code, message } = failureOf(visited);
  assert.deepEqual([stage, code], ["verify", "contract"]);
  assert.ok(message.includes(`${rule}: `), message);
}

describe("the zoo under load", { concurrency: 3 }, () => {
  let zoo: Zoo;
  before(async () => {
    zoo = await openZoo();
  });
  after(() => zoo[Symbol.asyncDispose]());

  for (const { fault, modes, reason, rule, plan } of ROWS) {
    for (const mode of modes) {
      test(`${fault}, ${mode}: ${reason}${rule === undefined ? "" : ` by ${rule}`}`, async () => {
        const visited = await visitServer(zoo.adapter(fault), mode, plan);
        // A server that still holds the load's connections when it is verified afterwards is caught there already.
        if (rule !== undefined && visited.row.status === "failed") return assertSeenAfterwards(visited, rule);
        const { row, visit } = measured(visited);
        const findings = JSON.stringify(findingsOf(visit, visited.plan));
        assert.ok(row.reasons.includes(reason), findings);
        assert.equal(row.rankable, false);
        if (rule !== undefined) assert.equal(visit.keptBodies.problems[0]?.rule, rule);
      });
    }
  }

  test("bad-gateway-in-double-load, progressive: a warning, probe-errors", async () => {
    const { plan, visit } = await visitServer(zoo.adapter("bad-gateway-in-double-load"), "progressive", {
      probeMs: 1_000,
    });
    const codes = warningsOf(plan, [visit]).map(({ code }) => code);
    assert.ok(codes.includes("probe-errors"), codes.join(", "));
  });

  for (const [fault, mode] of AFTERWARDS) {
    test(`${fault}, ${mode}: verify, contract, item-count`, async () => {
      const { stage, code, message } = failureOf(await visitServer(zoo.adapter(fault), mode));
      assert.deepEqual([stage, code], ["verify", "contract"]);
      assert.match(message, /item-count/);
    });
  }

  for (const fault of TOLD_BY_NOTHING) {
    test(`${fault}: the load sends what the verifier sends, so it is never wrong`, async () => {
      const { row, visit } = measured(await visitServer(zoo.adapter(fault), "progressive"));
      assert.ok(visit.load.completed > 0 && visit.keptBodies.checked > 0);
      assert.deepEqual(visit.keptBodies.problems, []);
      assert.ok(!row.reasons.includes("invalid"));
    });
  }
});
