/** Each refusal: a right set of reports, one thing spoiled, its one code, and nothing written. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { differences } from "../differences.ts";
import type { LoadReport, MeasuredRow, MeasuredVisit } from "../schema.ts";
import { makeBrowserReport, makeOfficialBrowserPlan } from "../testing/right-browser-report.ts";
import { makeLink } from "../testing/right-provenance.ts";
import {
  foundOf,
  makePublication,
  makePublisher,
  type RightPublication,
} from "../testing/right-publication.ts";
import { makeOfficialPlan, makePlan, makeReport } from "../testing/right-report.ts";
import type { Blocker, Publisher } from "./blockers.ts";
import { publish } from "./publish.ts";
import { readSummary } from "./read.ts";

const ADAPTERS = ["alpha", "beta"];
const LOAD = "ssr-todo-official.json";
const COMPLETE = "ssr-todo-official-complete.json";
const BROWSER = "ssr-todo-browser-outcomes-official.json";
const right = makePublication(ADAPTERS);
const publisher = makePublisher(right);

type Reports = { -readonly [Name in keyof RightPublication]: RightPublication[Name] };

interface Refusal {
  readonly what: string;
  readonly code: Blocker["code"];
  readonly spoil: (reports: Reports) => void;
  readonly publisher?: Publisher;
}

/** Makes every report anew with a provenance that is changed in all, or in one of them. */
function withProvenance(
  reports: Reports,
  names: readonly (keyof Reports)[],
  changes: Partial<LoadReport["provenance"]>,
): void {
  for (const name of names) Object.assign(reports[name].provenance, changes);
}

const ALL = [LOAD, COMPLETE, BROWSER] as const;

function firstRow({ rows }: LoadReport): MeasuredRow {
  const [row] = rows;
  assert.ok(row?.status === "measured");
  return row;
}

function visitOf({ visits }: LoadReport, index: number): MeasuredVisit {
  const visit = visits[index];
  assert.ok(visit?.status === "measured");
  return visit;
}

const REFUSALS: readonly Refusal[] = [
  {
    what: "a dirty source",
    code: "dirty-source",
    spoil: (reports) => withProvenance(reports, ALL, { dirty: true }),
  },
  {
    what: "a source that git couldn't read",
    code: "dirty-source",
    spoil: (reports) => withProvenance(reports, ALL, { dirty: "unknown" }),
  },
  {
    what: "a digest of another checkout",
    code: "other-source",
    spoil: () => undefined,
    publisher: { ...publisher, sourceDigest: "e".repeat(64) },
  },
  {
    what: "a quick report",
    code: "not-official",
    spoil: (reports) => {
      reports[LOAD] = makeReport(makePlan({ adapters: ADAPTERS }));
    },
  },
  {
    what: "a filtered report",
    code: "filtered",
    spoil: (reports) => {
      reports[LOAD] = makeReport(makePlan({ adapters: ADAPTERS, filtered: true }));
    },
  },
  {
    what: "reports of two revisions, as of a run that was gone on with after a commit",
    code: "reports-differ",
    spoil: (reports) => withProvenance(reports, [COMPLETE], { gitRevision: "f".repeat(40) }),
  },
  {
    what: "a missing cell",
    code: "other-adapters",
    spoil: (reports) => {
      reports[COMPLETE] = makeReport(
        makeOfficialPlan({ adapters: ["alpha"], responseModes: ["complete"], seed: 8 }),
      );
    },
  },
  {
    what: "a cell too many",
    code: "other-adapters",
    spoil: (reports) => {
      const adapters = [...ADAPTERS, "gamma"];
      reports[COMPLETE] = makeReport(makeOfficialPlan({ adapters, responseModes: ["complete"], seed: 8 }));
    },
  },
  {
    what: "a row whose visit is missing",
    code: "not-verified",
    spoil: (reports) => {
      reports[LOAD].visits.pop();
    },
  },
  {
    what: "a browser run with a visit too few",
    code: "not-whole",
    spoil: (reports) => {
      reports[BROWSER] = makeBrowserReport(
        makeOfficialBrowserPlan({ adapters: ADAPTERS }),
        (visit) => visit,
        19,
      );
    },
  },
  {
    what: "a failed browser visit",
    code: "not-verified",
    spoil: (reports) => Object.assign(reports[BROWSER].visits[3] as object, { status: "failed" }),
  },
  {
    what: "nine rounds",
    code: "not-verified",
    spoil: (reports) => {
      reports[BROWSER] = makeBrowserReport(makeOfficialBrowserPlan({ adapters: ADAPTERS, rounds: 9 }));
    },
  },
  {
    what: "reports of two machines",
    code: "reports-differ",
    spoil: (reports) => {
      const { machine } = reports[BROWSER].provenance;
      withProvenance(reports, [BROWSER], { machine: { ...machine, cpuModel: "Another CPU" } });
    },
  },
  {
    what: "dependency modes mixed",
    code: "reports-differ",
    spoil: (reports) =>
      withProvenance(reports, [COMPLETE], { dependencyMode: "local-source", links: [makeLink("theirs")] }),
  },
  {
    what: "a linked checkout that was dirty",
    code: "dirty-link",
    spoil: (reports) =>
      withProvenance(reports, ALL, {
        dependencyMode: "local-source",
        links: [{ ...makeLink("theirs"), dirty: true }],
      }),
  },
  {
    what: "a figure edited by hand",
    code: "not-verified",
    spoil: (reports) => {
      const row = firstRow(reports[LOAD]);
      row.completedRps *= 1.02;
    },
  },
  {
    what: "a histogram edited by hand",
    code: "not-verified",
    spoil: (reports) => {
      visitOf(reports[LOAD], 0).load.latency.histogram = visitOf(reports[COMPLETE], 0).load.latency.histogram;
    },
  },
  {
    what: "readings copied from the other run",
    code: "copied-readings",
    spoil: (reports) => {
      // The sampler's, which say nothing of the mode that they were read in.
      const { rss } = visitOf(reports[LOAD], 0).sampled;
      reports[COMPLETE] = makeReport(
        makeOfficialPlan({ adapters: ADAPTERS, responseModes: ["complete"], seed: 8 }),
        (visit) =>
          visit.status === "measured" && visit.adapter === "alpha"
            ? { ...visit, sampled: { ...visit.sampled, rss } }
            : visit,
      );
    },
  },
  {
    what: "an invalid row",
    code: "unpublishable-row",
    spoil: (reports) => {
      const row = firstRow(reports[LOAD]);
      Object.assign(row, { rankable: false, reasons: ["invalid"] });
    },
  },
  {
    what: "a failed row",
    code: "failed-row",
    spoil: (reports) => {
      const { adapter, responseMode } = firstRow(reports[LOAD]);
      const failure = { stage: "warm", code: "server-exit", message: "it exited", hint: "See why." };
      reports[LOAD].rows[0] = {
        status: "failed",
        adapter,
        responseMode,
        attempts: 1,
        measuredRounds: 0,
        failure,
      };
    },
  },
  {
    what: "another contract version",
    code: "other-contract",
    spoil: () => undefined,
    publisher: { ...publisher, contractVersion: 2 },
  },
  {
    what: "a newer schema",
    code: "not-verified",
    spoil: (reports) => Object.assign(reports[LOAD], { schemaVersion: 2 }),
  },
  {
    what: "a report in another's place",
    code: "wrong-report",
    spoil: (reports) => {
      reports[LOAD] = structuredClone(reports[COMPLETE]);
    },
  },
];

describe("refused", () => {
  for (const { what, code, spoil, publisher: by = publisher } of REFUSALS) {
    test(what, () => {
      const reports: Reports = structuredClone(right);
      spoil(reports);
      const publications = publish(foundOf(reports), by);
      for (const one of publications) {
        assert.equal(one.status, "blocked");
        assert.ok(
          one.status === "blocked" && one.blockers.some((blocker) => blocker.code === code),
          JSON.stringify(one),
        );
      }
    });
  }
});

test("all reasons are listed at once", () => {
  const reports: Reports = structuredClone(right);
  withProvenance(reports, ALL, { dirty: true });
  const [one] = publish(foundOf(reports), {
    ...publisher,
    sourceDigest: "e".repeat(64),
    adapters: ["alpha"],
  });
  assert.ok(one?.status === "blocked");
  const codes = new Set(one.blockers.map(({ code }) => code));
  assert.deepEqual([...codes].sort(), ["dirty-source", "other-adapters", "other-source"]);
});

describe("published", () => {
  test("both summaries, each of its schema, with the digests of their inputs", () => {
    const publications = publish(
      foundOf(right, (text) => `${text.length}`.padStart(64, "0")),
      publisher,
    );
    for (const one of publications) {
      assert.ok(one.status === "published");
      const read = readSummary(one.text);
      assert.ok(read.ok, JSON.stringify(read));
      const lengths = read.report.inputs.map(({ sha256 }) => Number(sha256));
      assert.deepEqual(
        lengths,
        read.report.inputs.map(({ file }) => JSON.stringify(right[file as keyof RightPublication]).length),
      );
    }
  });

  test("without a browser report only the complete mode", () => {
    const { [BROWSER]: _, ...loads } = right;
    assert.deepEqual(
      publish(foundOf(loads), publisher).map(({ status }) => status),
      ["blocked", "published"],
    );
  });

  test("the same bytes for the same reports", () => {
    const once = publish(foundOf(right), publisher);
    assert.deepEqual(publish(foundOf(structuredClone(right)), publisher), once);
  });

  test("figures are those of the rows, with a place from six rounds on", () => {
    const six = makePublication(ADAPTERS, 6);
    const [main] = publish(foundOf(six), publisher);
    assert.ok(main?.status === "published");
    const read = readSummary(main.text);
    assert.ok(read.ok);
    for (const row of read.report.rows) {
      const from = six[LOAD].rows.find(({ adapter }) => adapter === row.adapter);
      assert.ok(from?.status === "measured");
      assert.deepEqual(differences("", from.completedRps, row.load.completedRps.median), []);
      assert.equal(row.load["latencyMs.p95"].median, from.latencyMs.p95);
      assert.notEqual(row.load.completedRps.level, null);
      assert.equal(
        row.browser?.readyMs.median,
        six[BROWSER].rows.find((one) => one.adapter === row.adapter)?.readyMs.median,
      );
      assert.equal(row.place === null, !row.rankable);
    }
    const [one] = publish(foundOf(right), publisher);
    assert.ok(one?.status === "published");
    assert.match(one.text, /"place": null/);
    assert.doesNotMatch(one.text, /"place": \d/);
  });
});
