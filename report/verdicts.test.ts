import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orderOf } from "./order.ts";
import type { MeasuredVisit, Probe, VerdictReason } from "./schema.ts";
import { makeOfficialPlan, makePlan, makeVisit } from "./testing/right-report.ts";
import { findingsOf, reasonsOverRounds, warningsOf } from "./verdicts.ts";

const PLAN = makeOfficialPlan();

function visitWith(spoil: (visit: MeasuredVisit) => void): MeasuredVisit {
  const visit = makeVisit(PLAN, orderOf(PLAN)[0] ?? assert.fail(), 0, 0);
  spoil(visit);
  return visit;
}

function reasonsOf(spoil: (visit: MeasuredVisit) => void): VerdictReason[] {
  return findingsOf(visitWith(spoil), PLAN).map(({ reason }) => reason);
}

function codesOf(spoil: (visit: MeasuredVisit) => void): string[] {
  return warningsOf(PLAN, [visitWith(spoil)]).map(({ code }) => code);
}

describe("findingsOf", () => {
  it("finds nothing in a right visit", () => {
    assert.deepEqual(
      reasonsOf(() => {}),
      [],
    );
  });

  it("calls workers above 90 % generator-bound, and load CPUs below 5 % idle", () => {
    assert.deepEqual(
      reasonsOf(({ load, sampled }) => {
        (load.workers[0] ?? assert.fail()).cpuMs = 18_500;
        (load.workers[1] ?? assert.fail()).cpuMs = 100;
        sampled.loadCpuTicks.user += 500;
        sampled.loadCpuTicks.idle -= 500;
      }),
      ["generator-bound"],
    );
    assert.deepEqual(
      reasonsOf(({ sampled: { loadCpuTicks: ticks } }) => {
        ticks.user += ticks.idle - 99;
        ticks.idle = 99;
      }),
      ["generator-bound"],
    );
  });

  it("counts both workers' sum over the CPUs that they share", () => {
    assert.deepEqual(
      reasonsOf(({ load, sampled }) => {
        for (const worker of load.workers) worker.cpuMs = 9300;
        sampled.loadCpuTicks.user += 500;
        sampled.loadCpuTicks.idle -= 500;
      }),
      ["generator-bound"],
    );
  });

  it("calls a server CPU above 10 % idle idle-server", () => {
    const idle = (ticks: number) =>
      reasonsOf(({ sampled }) => {
        sampled.serverCpuTicks.user -= ticks - sampled.serverCpuTicks.idle;
        sampled.serverCpuTicks.idle = ticks - 20;
        sampled.serverCpuTicks.iowait = 20;
        sampled.cpu.userMs = 15_000;
      });
    assert.deepEqual(idle(200), []);
    assert.deepEqual(idle(201), ["idle-server"]);
  });

  it("calls more than 20 % of the server CPU taken by others disturbed, steal included", () => {
    const stolen = (ticks: number) =>
      reasonsOf(({ sampled }) => {
        sampled.serverCpuTicks.user = 1700 - ticks;
        sampled.serverCpuTicks.steal = ticks;
        sampled.cpu = { userMs: 19_000 - ticks * 10 - 100, systemMs: 0, intervalMs: 20_000 };
      });
    assert.deepEqual(stolen(350), []);
    assert.deepEqual(stolen(420), ["disturbed"]);
  });

  it("calls errors overloaded, a gap above 1 s stalled, an unanswered connection starved", () => {
    const errors = (load: MeasuredVisit["load"]) => {
      load.errors.reset = 2;
      load.sent += 2;
      (load.workers[0] ?? assert.fail()).failed = 2;
      (load.workers[0] ?? assert.fail()).sent += 2;
    };
    assert.deepEqual(
      reasonsOf(({ load }) => errors(load)),
      ["overloaded"],
    );
    assert.deepEqual(
      reasonsOf(({ load }) => {
        load.longestGapMs = 1001;
      }),
      ["stalled"],
    );
    assert.deepEqual(
      reasonsOf(({ load }) => {
        load.starvedConnections = 1;
      }),
      ["starved"],
    );
  });

  it("calls a wrong kept body, a status outside 2xx or an invalid body invalid", () => {
    assert.deepEqual(
      reasonsOf(({ keptBodies }) => {
        keptBodies.wrong = 1;
        keptBodies.problems = [{ rule: "items", expected: "100", seen: "99" }];
      }),
      ["invalid"],
    );
    const wrong = (change: (load: MeasuredVisit["load"]) => void) =>
      reasonsOf(({ load }) => {
        change(load);
        load.sent += 1;
        (load.workers[0] ?? assert.fail()).failed = 1;
        (load.workers[0] ?? assert.fail()).sent += 1;
      });
    assert.deepEqual(
      wrong((load) => {
        load.non2xx = 1;
      }),
      ["invalid"],
    );
    assert.deepEqual(
      wrong((load) => {
        load.invalid.nonce = 1;
      }),
      ["invalid"],
    );
  });

  it("calls readings that disagree inconsistent, and says how", () => {
    const [finding] = findingsOf(
      visitWith(({ load }) => {
        load.completed += 1;
      }),
      PLAN,
    );
    assert.equal(finding?.reason, "inconsistent");
    assert.match(finding?.message ?? "", /workers-completed: expected \d+ requests, seen \d+ requests/);
  });
});

describe("reasonsOverRounds", () => {
  it("takes the server's own faults, and what blocks publication, from any round", () => {
    const rounds: VerdictReason[][] = [
      ["overloaded", "invalid"],
      [],
      [],
      [],
      ["stalled"],
      ["inconsistent", "starved"],
    ];
    assert.deepEqual(reasonsOverRounds(rounds), [
      "overloaded",
      "stalled",
      "starved",
      "invalid",
      "inconsistent",
    ]);
  });

  it("takes the machine's circumstances where they hold in at least half of the rounds", () => {
    assert.deepEqual(reasonsOverRounds([["disturbed"], [], []]), []);
    assert.deepEqual(reasonsOverRounds([["disturbed"], []]), ["disturbed"]);
    assert.deepEqual(reasonsOverRounds([["idle-server"], ["idle-server", "generator-bound"], []]), [
      "idle-server",
    ]);
    assert.deepEqual(reasonsOverRounds([["generator-bound"]]), ["generator-bound"]);
    assert.deepEqual(reasonsOverRounds([]), []);
  });
});

describe("warningsOf", () => {
  it("has none for a right visit", () => {
    assert.deepEqual(
      codesOf(() => {}),
      [],
    );
  });

  it("warns of every occurrence with its cell, round and figures, also where the row stays rankable", () => {
    const visit = visitWith(({ sampled }) => {
      sampled.serverCpuTicks.user -= 300;
      sampled.serverCpuTicks.idle += 300;
      sampled.cpu.userMs -= 3000;
    });
    assert.deepEqual(warningsOf(PLAN, [visit]), [
      { code: "idle-server", cell: "alpha/progressive", message: "round 1: server CPU 16.0 % idle" },
    ]);
  });

  it("warns unsaturated-probe only where twice the connections beat both others by more than 5 %", () => {
    const probes = (...rates: [number, number, number]) =>
      codesOf((visit) => {
        visit.probes = rates.map((rate, index): Probe => {
          const connections = index === 1 ? 128 : 64;
          return {
            connections,
            completed: rate * 4,
            windowMs: 4000,
            completedRps: rate,
            errors: 0,
            timeouts: 0,
          };
        });
      });
    assert.deepEqual(probes(1000, 1100, 1000), ["unsaturated-probe"]);
    assert.deepEqual(probes(900, 1000, 1000), [], "a server still warming up");
    assert.deepEqual(probes(1000, 1000, 900), []);
    assert.deepEqual(probes(1000, 1050, 1000), []);
  });

  it("warns disturbed and disturbed-load above 5 %", () => {
    assert.deepEqual(
      codesOf(({ sampled }) => {
        sampled.serverCpuTicks.steal += 160;
        sampled.cpu.userMs -= 1800;
      }),
      ["disturbed"],
    );
    assert.deepEqual(
      codesOf(({ sampled }) => {
        sampled.loadCpuTicks.user += 140;
        sampled.loadCpuTicks.idle -= 140;
      }),
      ["disturbed-load"],
    );
  });

  it("takes the sampler's own CPU time for none of the others'", () => {
    assert.deepEqual(
      codesOf(({ sampled }) => {
        sampled.loadCpuTicks.user += 140;
        sampled.loadCpuTicks.idle -= 140;
        sampled.samplerCpuMs = 1500;
      }),
      [],
    );
  });

  it("warns unsteady where the seconds differ by more than 20 %, from ten seconds on", () => {
    const uneven = (visit: MeasuredVisit) => {
      const { completionsPerSecond: seconds } = visit.load;
      for (let at = 0; at + 1 < seconds.length; at += 2) {
        seconds[at] = (seconds[at] as number) + 300;
        seconds[at + 1] = (seconds[at + 1] as number) - 300;
      }
      return visit;
    };
    assert.deepEqual(codesOf(uneven), ["unsteady"]);
    const quick = makePlan({ windowMs: 9000 });
    const visit = uneven(makeVisit(quick, orderOf(quick)[0] ?? assert.fail(), 0, 0));
    assert.deepEqual(warningsOf(quick, [visit]), []);
  });

  it("warns of warm-ups that took longer or weren't enough, and of errors outside the window", () => {
    assert.deepEqual(
      codesOf(({ warm, timing }) => {
        Object.assign(warm, { status: "extended", durationMs: 5600, allAnsweredMs: 5580 });
        (timing.stages[7] ?? assert.fail()).durationMs = 5700;
      }),
      ["warm-extended"],
    );
    assert.deepEqual(
      codesOf(({ warm, timing }) => {
        Object.assign(warm, { status: "short", durationMs: 15_000, allAnsweredMs: null });
        (timing.stages[7] ?? assert.fail()).durationMs = 15_100;
      }),
      ["warm-short"],
    );
    assert.deepEqual(
      codesOf(({ warm, probes }) => {
        warm.errors = 1;
        (probes[1] ?? assert.fail()).errors = 3;
      }),
      ["probe-errors", "warm-errors"],
    );
  });

  it("warns shared-cpu of the run, passes on what a visit saw, names failed and skipped cells, sorted and once", () => {
    const plan = makePlan({ cpus: { server: 0, others: [0] } });
    const cell = { adapter: "beta", responseMode: "complete", telemetry: true } as const;
    const failure = { stage: "verify", code: "contract", message: "no list", hint: "Mend it." };
    const timing = { startedAt: "2026-10-04T08:00:00.000Z", stages: [] };
    const killed = { code: "killed", cell: "alpha/progressive", message: "round 1: killed" };
    const measured = visitWith((visit) => {
      visit.warnings = [killed, killed];
    });
    const warnings = warningsOf(plan, [
      { ...cell, status: "skipped", round: 2, reason: "the run was interrupted" },
      { ...cell, status: "failed", round: 1, timing, failure },
      measured,
    ]);
    assert.deepEqual(
      warnings.filter(({ code }) => code !== "inconsistent"),
      [
        {
          code: "shared-cpu",
          cell: null,
          message: "the load shares CPU 0 with the server: there is no other",
        },
        killed,
        { code: "failed", cell: "beta/complete", message: "round 1: contract in verify: no list" },
        { code: "skipped", cell: "beta/complete", message: "round 2: the run was interrupted" },
      ],
    );
  });
});
