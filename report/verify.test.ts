import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LoadReport, RunPlan } from "./schema.ts";
import { makeLink } from "./testing/right-provenance.ts";
import { makeOfficialPlan, makePlan, makeReport } from "./testing/right-report.ts";
import { verifyLoadReport } from "./verify.ts";

const BOTH = makePlan({
  adapters: ["alpha", "beta"],
  responseModes: ["progressive", "complete"],
  rounds: 2,
});

function rulesOf(plan: RunPlan, spoil: (report: LoadReport) => void): string[] {
  const report = structuredClone(makeReport(plan));
  spoil(report);
  return verifyLoadReport(report).map(({ rule }) => rule);
}

function assertFound(plan: RunPlan, rule: RegExp, spoil: (report: LoadReport) => void): void {
  const rules = rulesOf(plan, spoil);
  assert.ok(
    rules.some((found) => rule.test(found)),
    `found ${rules.join(", ") || "nothing"}`,
  );
}

describe("verifyLoadReport", () => {
  it("finds nothing in right reports", () => {
    const plans = [
      BOTH,
      makeOfficialPlan(),
      makeOfficialPlan({ responseModes: ["complete"], rounds: 3 }),
      makePlan({ rounds: 6, control: "telemetry" }),
      makePlan({ filtered: true, connections: 7, windowMs: 4500 }),
    ];
    for (const plan of plans) assert.deepEqual(verifyLoadReport(makeReport(plan)), []);
  });

  it("finds nothing in a report of failed and skipped visits that says so", () => {
    const report = makeReport(BOTH, (visit) => {
      const { adapter, responseMode, round, telemetry, timing } = visit;
      const planned = { adapter, responseMode, round, telemetry };
      if (round === 2) return { status: "skipped", ...planned, reason: "the run was interrupted" };
      if (adapter === "alpha") return visit;
      const failure = { stage: "verify", code: "contract", message: "no list", hint: "Mend it." };
      return { status: "failed", ...planned, timing, failure };
    });
    const beta = report.provenance.adapters[1] ?? assert.fail();
    beta.runtimeVersion = null;
    report.provenance.nullReasons["adapters.beta.runtimeVersion"] = "no server of it was measured";
    assert.deepEqual(verifyLoadReport(report), []);
  });

  it("finds an inconsistent visit also where the report says so itself", () => {
    const report = makeReport(makePlan(), (visit) => {
      visit.load.completed += 1;
      return visit;
    });
    const [row] = report.rows;
    assert.ok(row?.status === "measured");
    assert.ok(row.reasons.includes("inconsistent"));
    assert.equal(row.rankable, false);
    const rules = verifyLoadReport(report).map(({ rule }) => rule);
    assert.ok(rules.includes("visits.0 (alpha/progressive round 1): workers-completed"), rules.join(", "));
  });

  it("finds a row, a warning, a status that the visits don't give", () => {
    assertFound(BOTH, /^rows\.4$/, ({ rows }) => void rows.push(rows[0] ?? assert.fail()));
    assertFound(BOTH, /^rows\.3$/, ({ rows }) => void rows.pop());
    assertFound(BOTH, /^rows\.0\.adapter$/, ({ rows }) => void rows.reverse());
    assertFound(BOTH, /^warnings\.0$/, ({ warnings }) => {
      warnings.push({ code: "disturbed", cell: null, message: "it was windy" });
    });
    assertFound(BOTH, /^status$/, (report) => {
      report.status = "partial";
    });
    assertFound(BOTH, /^metricsStatus$/, (report) => {
      report.metricsStatus = "incomplete";
    });
    assertFound(BOTH, /^responseMode$/, (report) => {
      report.responseMode = "complete";
    });
    assertFound(BOTH, /^runtimeMode$/, (report) => {
      report.runtimeMode = "official";
    });
    assertFound(BOTH, /^filtered$/, (report) => {
      report.filtered = true;
    });
    assertFound(BOTH, /^rows\.0\.rankable$/, ({ rows }) => {
      Object.assign(rows[0] ?? assert.fail(), { rankable: false });
    });
    assertFound(BOTH, /^control$/, (report) => {
      report.control = { kind: "telemetry", cells: [] };
    });
  });

  it("finds a warning that was taken out", () => {
    const report = makeReport(makePlan(), (visit) => {
      visit.warm.errors = 1;
      return visit;
    });
    assert.deepEqual(
      report.warnings.map(({ code }) => code),
      ["warm-errors"],
    );
    report.warnings = [];
    report.status = "complete";
    assert.deepEqual(
      verifyLoadReport(report).map(({ rule }) => rule),
      ["status", "warnings.0"],
    );
  });

  it("finds visits in another order than the seed's, left out, or made twice", () => {
    assertFound(BOTH, /^visits\.\d$/, ({ visits }) => void visits.reverse());
    assertFound(BOTH, /^visits\.7$/, ({ visits }) => void visits.pop());
    assertFound(BOTH, /^visits\.8$/, ({ visits }) => void visits.push(visits[0] ?? assert.fail()));
    assertFound(BOTH, /^visits\.\d$/, ({ plan }) => {
      plan.seed += 1;
    });
  });

  it("finds visits that overlap, or lie outside the run", () => {
    assertFound(BOTH, /^visits\.0\.timing\.startedAt$/, ({ provenance }) => {
      provenance.startedAt = "2026-10-04T08:00:30.000Z";
    });
    assertFound(BOTH, /^visits\.1\.timing\.startedAt$/, ({ visits }) => {
      const visit = visits[1] ?? assert.fail();
      if ("timing" in visit) visit.timing.startedAt = "2026-10-04T08:00:05.000Z";
    });
    assertFound(BOTH, /^provenance\.endedAt$/, ({ provenance }) => {
      provenance.endedAt = "2026-10-04T08:00:30.000Z";
    });
  });

  it("finds versions that the provenance doesn't have", () => {
    assertFound(BOTH, /server\.runtimeVersion$/, ({ provenance }) => {
      (provenance.adapters[0] ?? assert.fail()).runtimeVersion = "24.0.0";
    });
    assertFound(BOTH, /server\.frameworkVersion$/, ({ provenance }) => {
      (provenance.adapters[1] ?? assert.fail()).frameworkVersion = "9.9.9";
    });
    assertFound(BOTH, /server\.runtime$/, ({ provenance }) => {
      (provenance.adapters[1] ?? assert.fail()).runtime = "bun";
    });
    assertFound(BOTH, /^provenance\.adapters\.1$/, ({ provenance }) => void provenance.adapters.pop());
    assertFound(BOTH, /^provenance\.adapters\.alpha\.artifacts$/, ({ provenance }) => {
      (provenance.adapters[0] ?? assert.fail()).artifacts = [];
    });
  });

  it("finds nulls without a reason, and source facts that disagree", () => {
    assertFound(BOTH, /nullReasons\.machine\.governor$/, ({ provenance }) => {
      provenance.nullReasons = {};
    });
    assertFound(BOTH, /^provenance\.dirty$/, ({ provenance }) => {
      provenance.gitRevision = null;
      provenance.nullReasons.gitRevision = "no git";
    });
    assertFound(BOTH, /^provenance\.links$/, ({ provenance }) => {
      provenance.dependencyMode = "local-source";
    });
    assertFound(BOTH, /^provenance\.links/, ({ provenance }) => {
      provenance.dependencyMode = "local-source";
      provenance.links = [makeLink("one"), makeLink("one")];
    });
    assertFound(BOTH, /^provenance\.links\.one\.packages/, ({ provenance }) => {
      const link = makeLink("one");
      provenance.dependencyMode = "local-source";
      provenance.links = [{ ...link, packages: [...link.packages, ...link.packages] }];
    });
  });

  it("finds empty texts, reasons for what isn't null, and a revision that is none", () => {
    assertFound(BOTH, /^provenance\.machine\.kernel$/, ({ provenance }) => {
      provenance.machine.kernel = " ";
    });
    assertFound(BOTH, /nullReasons\.machine\.governor$/, ({ provenance }) => {
      provenance.machine.governor = "performance";
    });
    assertFound(BOTH, /^provenance\.gitRevision$/, ({ provenance }) => {
      provenance.gitRevision = "main";
    });
  });

  it("finds a command line that the plan doesn't follow", () => {
    const flags = [
      "--rounds 3",
      "--rounds=3",
      "--seed 8",
      "--runtime-mode official",
      "--only alpha,gamma",
      "--seconds 4",
    ];
    for (const flag of [
      ...flags,
      "--response-mode complete",
      "--control telemetry",
      "--connections 65",
      "--warm-seconds 2",
    ]) {
      assertFound(
        BOTH,
        /^provenance\.command$/,
        ({ provenance }) => void provenance.command.push(...flag.split(" ")),
      );
    }
    const right = [
      "--rounds",
      "9",
      "--rounds=2",
      "--seed",
      "7",
      "--only",
      "beta, alpha",
      "--seconds",
      "3",
      "--warm-seconds=1",
    ];
    assert.deepEqual(
      rulesOf(BOTH, ({ provenance }) => void provenance.command.push(...right)),
      [],
    );
  });

  it("finds readings of one visit in another", () => {
    assertFound(BOTH, /^visits\.1\.cpu$/, ({ visits }) => {
      const [one, other] = visits;
      if (one?.status === "measured" && other?.status === "measured")
        other.sampled.cpu = { ...one.sampled.cpu };
    });
  });

  it("finds CPUs and memory that the machine doesn't have", () => {
    assertFound(BOTH, /^plan\.cpus$/, ({ provenance }) => {
      provenance.machine.allowedCpus = [1];
    });
    assertFound(BOTH, /^provenance\.machine\.logicalCpus$/, ({ provenance }) => {
      provenance.machine.sockets = 2;
    });
    assertFound(BOTH, /^provenance\.machine\.memoryBytes$/, ({ provenance }) => {
      provenance.machine.memoryBytes = 2 ** 20;
    });
  });

  it("finds an official report that isn't one", () => {
    const official = makeOfficialPlan();
    for (const [field, value] of Object.entries({
      filtered: true,
      connections: 32,
      workers: 1,
      unrecordedMs: 1000,
      probeMs: 3999,
      warmMs: 2999,
      warmLimitMs: 20_000,
      windowMs: 19_999,
      timeoutMs: 20_000,
      rssIntervalMs: 400,
      pssIntervalMs: 2000,
    })) {
      assertFound(
        official,
        new RegExp(`^plan\\.${field}$`),
        ({ plan }) => void Object.assign(plan, { [field]: value }),
      );
    }
    assertFound(official, /^plan\.responseModes$/, ({ plan }) => void plan.responseModes.push("complete"));
    assertFound(official, /^plan\.cpus$/, ({ plan }) => {
      plan.cpus.others = [0];
    });
  });
});
