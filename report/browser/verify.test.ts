import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  makeBrowserPlan,
  makeBrowserReport,
  makeOfficialBrowserPlan,
} from "../testing/right-browser-report.ts";
import type { BrowserPlan, BrowserReport, RightVisit } from "./schema.ts";
import { verifyBrowserReport } from "./verify.ts";

const PLAN = makeBrowserPlan({ adapters: ["alpha", "beta"], rounds: 3 });

function rulesOf(plan: BrowserPlan, spoil: (report: BrowserReport) => void): string[] {
  const report = structuredClone(makeBrowserReport(plan));
  spoil(report);
  return verifyBrowserReport(report).map(({ rule }) => rule);
}

function assertFound(rule: RegExp, spoil: (report: BrowserReport) => void, plan = PLAN): void {
  const rules = rulesOf(plan, spoil);
  assert.ok(
    rules.some((found) => rule.test(found)),
    `${rule}: found ${rules.join(", ") || "nothing"}`,
  );
}

/** A report whose rows were made of the spoiled visit, so that only the visit itself can give it away. */
function assertVisitFound(rule: RegExp, spoil: (visit: RightVisit) => void): void {
  const report = makeBrowserReport(makeBrowserPlan(), (visit) => {
    spoil(visit);
    return visit;
  });
  const rules = verifyBrowserReport(report).map((problem) => problem.rule);
  assert.ok(
    rules.some((found) => rule.test(found)),
    `${rule}: found ${rules.join(", ") || "nothing"}`,
  );
}

const step = (visit: RightVisit, n: number) => visit.steps[n - 1] ?? assert.fail();

describe("verifyBrowserReport", () => {
  it("finds nothing in right reports", () => {
    const plans = [
      PLAN,
      makeBrowserPlan({ headed: false, filtered: true, responseMode: "complete" }),
      makeOfficialBrowserPlan(),
      makeOfficialBrowserPlan({ adapters: ["alpha", "beta", "gamma"], rounds: 12 }),
    ];
    for (const plan of plans) assert.deepEqual(verifyBrowserReport(makeBrowserReport(plan)), []);
  });

  it("finds nothing in the report of an interrupted run that says so", () => {
    const report = makeBrowserReport(PLAN, (visit) => visit, 3);
    assert.equal(report.status, "partial");
    assert.deepEqual(verifyBrowserReport(report), []);
  });

  it("finds nothing where a reading is null for a reason", () => {
    const report = makeBrowserReport(PLAN, (visit) => {
      visit.metrics.rendererPssEndBytes = null;
      visit.nullReasons.rendererPssEndBytes = "smaps_rollup can't be read";
      return visit;
    });
    assert.equal(report.metricsStatus, "incomplete");
    assert.deepEqual(verifyBrowserReport(report), []);
  });

  it("finds rows, warnings and statuses that the visits don't give", () => {
    assertFound(/^rows\.1$/, ({ rows }) => void rows.pop());
    assertFound(/^rows\.0\.adapter$/, ({ rows }) => void rows.reverse());
    assertFound(/^rows\.0\.readyMs\.median$/, ({ rows }) => {
      (rows[0] ?? assert.fail()).readyMs.median = 1;
    });
    assertFound(/^status$/, (report) => {
      report.status = "partial";
    });
    assertFound(/^metricsStatus$/, (report) => {
      report.metricsStatus = "incomplete";
    });
    assertFound(/^filtered$/, (report) => {
      report.filtered = true;
    });
    assertFound(/^responseMode$/, (report) => {
      report.responseMode = "complete";
    });
  });

  it("finds a visit that is missing and isn't said to be", () => {
    assertFound(/^warnings\.0$/, ({ visits }) => void visits.pop());
    const report = makeBrowserReport(PLAN, (visit) => visit, 5);
    report.warnings = [];
    report.status = "complete";
    assert.deepEqual(
      verifyBrowserReport(report).map(({ rule }) => rule),
      ["status", "warnings.0"],
    );
  });

  it("finds visits in another order than the seed's, left out in between, or made twice", () => {
    assertFound(/^visits\.\d$/, ({ visits }) => void visits.reverse());
    assertFound(/^visits\.\d$/, ({ visits }) => void visits.splice(2, 1));
    assertFound(/^visits\.6$/, ({ visits }) => void visits.push(visits[5] ?? assert.fail()));
    assertFound(/^visits\.\d$/, ({ plan }) => {
      plan.seed += 1;
    });
  });

  it("finds visits that overlap, or lie outside the run", () => {
    assertFound(/^visits\.1\.timing\.startedAt$/, ({ visits }) => {
      (visits[1] ?? assert.fail()).timing.startedAt = "2026-10-04T08:00:01.000Z";
    });
    assertFound(/^provenance\.endedAt$/, ({ provenance }) => {
      provenance.endedAt = "2026-10-04T08:00:10.000Z";
    });
  });

  it("finds versions that the provenance doesn't have, and nulls without a reason", () => {
    assertFound(/runtimeVersion$/, ({ provenance }) => {
      (provenance.adapters[0] ?? assert.fail()).runtimeVersion = "24.0.0";
    });
    assertFound(/frameworkVersion$/, ({ provenance }) => {
      (provenance.adapters[1] ?? assert.fail()).frameworkVersion = "9.9.9";
    });
    assertFound(/nullReasons\.machine\.governor$/, ({ provenance }) => {
      provenance.nullReasons = {};
    });
    assertFound(/^provenance\.machine\.logicalCpus$/, ({ provenance }) => {
      provenance.machine.sockets = 2;
    });
    assertFound(/^provenance\.machine\.memoryBytes$/, ({ provenance }) => {
      provenance.machine.memoryBytes = 2 ** 20;
    });
  });

  it("finds an official report that isn't one, and a plan that no run has", () => {
    const official = makeOfficialBrowserPlan();
    for (const [field, value] of Object.entries({
      filtered: true,
      headed: false,
      responseMode: "complete",
      rounds: 9,
    })) {
      const spoil = ({ plan }: BrowserReport) => void Object.assign(plan, { [field]: value });
      assertFound(new RegExp(`^plan\\.${field}$`), spoil, official);
    }
    for (const [field, value] of Object.entries({
      viewport: { width: 800, height: 900 },
      leastFramesPerSecond: 1,
      actLimitMs: 60_000,
      readyLimitMs: 60_000,
    })) {
      const spoil = ({ plan }: BrowserReport) => void Object.assign(plan, { [field]: value });
      assertFound(new RegExp(`^plan\\.${field}`), spoil);
      assertFound(new RegExp(`^plan\\.${field}`), spoil, official);
    }
  });

  it("finds a headed run without a display", () => {
    assertFound(/^browser\.display\.kind$/, ({ browser }) => {
      browser.display.kind = "headless";
    });
    assertFound(/^browser\.switches$/, ({ browser }) => void browser.switches.push("--headless=new"));
    const headless = makeBrowserPlan({ headed: false });
    assertFound(/^browser\.switches$/, ({ browser }) => void browser.switches.pop(), headless);
  });
});

describe("a visit that calls itself right", () => {
  it("has every title at each reading, the server's own elements, and HTTP/2", () => {
    for (const reading of ["raw", "beforeReady", "afterReady", "later"] as const) {
      for (const seen of [99, 200, null]) {
        assertVisitFound(new RegExp(`titles\\.${reading}$`), ({ titles }) => {
          titles[reading] = seen;
        });
      }
    }
    assertVisitFound(/itemsKept\.kept$/, ({ itemsKept }) => {
      itemsKept.kept = 0;
    });
    assertVisitFound(/protocol$/, (visit) => {
      visit.protocol = "http/1.1";
    });
    assertVisitFound(/framesPerSecond$/, (visit) => {
      visit.framesPerSecond = 29;
    });
  });

  it("has 29 right steps with a time each, but for the fifth", () => {
    assertVisitFound(/steps\.7\.problems$/, (visit) => {
      step(visit, 8).problems.push({ rule: "completed", expected: "true", seen: "false" });
    });
    assertVisitFound(/steps\.7\.ms$/, (visit) => {
      step(visit, 8).ms = null;
    });
    assertVisitFound(/steps\.4\.ms$/, (visit) => {
      step(visit, 5).ms = 3;
    });
    assertVisitFound(/steps\.7\.ms$/, (visit) => {
      step(visit, 8).ms = 5001;
    });
    assertVisitFound(/steps\.7\.n$/, (visit) => {
      step(visit, 8).n = 9;
    });
    assertVisitFound(/steps\.0\.ms$/, (visit) => {
      step(visit, 1).ms = 1;
    });
  });

  it("has readings in the order in which they happen, and in their stages", () => {
    assertVisitFound(/fcpMs$/, ({ metrics }) => {
      metrics.fcpMs = 1;
    });
    assertVisitFound(/lcpMs$/, ({ metrics }) => {
      metrics.lcpMs = 20;
    });
    assertVisitFound(/readyMs$/, (visit) => {
      visit.metrics.readyMs = 1;
      step(visit, 1).ms = 1;
    });
    assertVisitFound(/readyMs$/, (visit) => {
      visit.metrics.readyMs = 2500;
      step(visit, 1).ms = 2500;
    });
    assertVisitFound(/steps$/, (visit) => {
      step(visit, 9).ms = 1900;
    });
    assertVisitFound(/inpMs$/, ({ metrics }) => {
      metrics.inpMs = 2000;
    });
    assertVisitFound(/timing\.stages\.7$/, ({ timing }) => void timing.stages.pop());
  });

  it("has memory that fits into its process, and reasons for exactly what is null", () => {
    assertVisitFound(/jsHeapEndBytes$/, ({ metrics }) => {
      metrics.jsHeapEndBytes = 2 ** 30;
    });
    assertVisitFound(/rendererPssReadyBytes$/, ({ metrics }) => {
      metrics.rendererPssReadyBytes = 2 ** 30;
    });
    assertVisitFound(/nullReasons\.0$/, ({ metrics }) => {
      metrics.inpMs = null;
    });
    assertVisitFound(/nullReasons\.0$/, ({ nullReasons }) => {
      nullReasons.inpMs = "no interaction";
    });
  });
});
