import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { BenchError } from "../harness/errors.ts";
import { journalPath, readJournal } from "../harness/journal.ts";
import { assertResumable } from "../harness/resume.ts";
import { PROVENANCE } from "../harness/test/provenance.ts";
import { browserOrderOf, type PlannedBrowserVisit } from "../report/browser/order.ts";
import { readBrowserReport } from "../report/browser/read.ts";
import type { BrowserReport, BrowserVisit, ReadyCheck } from "../report/browser/schema.ts";
import { makeRightVisit, STACK } from "../report/testing/right-browser-report.ts";
import type { BrowserRunEvent } from "./events.ts";
import { BROWSER_JOURNAL, browserRunFacts } from "./journal.ts";
import { makeBrowserPlan } from "./plan.ts";
import { type BrowserRunRequest, runBrowser } from "./run.ts";

const PLAN = makeBrowserPlan(
  { official: false, filtered: false, headed: true, responseMode: "progressive", rounds: 3 },
  ["a", "b"],
  1,
);
const ORDER = browserOrderOf(PLAN);
const AT = new Date("2026-01-01T00:00:10.000Z");
const STARTED_MS = Date.parse("2026-01-01T00:00:00.000Z");

const right = async (planned: PlannedBrowserVisit): Promise<BrowserVisit> =>
  makeRightVisit(PLAN, planned, STARTED_MS, planned.round);

/** A visit whose twelfth step left the field open. */
const wrong = async (planned: PlannedBrowserVisit): Promise<BrowserVisit> => {
  const visit = makeRightVisit(PLAN, planned, STARTED_MS, planned.round);
  visit.steps[11]?.problems.push({ rule: "edit field", expected: "none", seen: "one, in todo-007" });
  return { ...visit, status: "wrong", problems: [], keptIn: "results/failures/one" };
};

const failed = async ({ adapter, round }: PlannedBrowserVisit): Promise<BrowserVisit> => ({
  status: "failed",
  adapter,
  round,
  timing: { startedAt: AT.toISOString(), stages: [{ stage: "launch", durationMs: 1 }] },
  failure: { stage: "launch", code: "browser-exit", message: "it ended", hint: "Look at it." },
  keptIn: null,
});

function request(file: string, change: Partial<BrowserRunRequest> = {}): BrowserRunRequest {
  return {
    plan: PLAN,
    provenance: PROVENANCE,
    browser: STACK,
    contractVersion: 1,
    file,
    resumed: null,
    checkReady: async (adapter) => ({ status: "right", adapter }),
    visit: right,
    onEvent: () => undefined,
    now: () => AT,
    signal: new AbortController().signal,
    ...change,
  };
}

async function withReportFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "browser-run-test-"));
  try {
    await work(path.join(folder, "made", "for", "it", "report.json"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function written(file: string): Promise<BrowserReport> {
  const read = readBrowserReport(await readFile(file, "utf8"));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.report;
}

const namesOf = (visits: readonly { adapter: string; round: number }[]) =>
  visits.map(({ adapter, round }) => `${adapter} ${round}`);

/** Runs with a visit that aborts the run when its turn has come. @param nth from 1 */
function interruptedAt(nth: number): Pick<BrowserRunRequest, "visit" | "signal"> {
  const run = new AbortController();
  let begun = 0;
  return {
    signal: run.signal,
    visit: async (planned) => {
      begun += 1;
      if (begun < nth) return await right(planned);
      run.abort(new BenchError({ stage: "setup", code: "interrupted", message: "Ctrl-C", hint: "-" }));
      throw run.signal.reason;
    },
  };
}

function lists(...texts: RegExp[]) {
  return (error: unknown) => {
    assert.ok(error instanceof BenchError && error.code === "wrong-visits", String(error));
    for (const text of texts) assert.match(error.message, text);
    return true;
  };
}

test("each product's ready check comes first, then all visits in the plan's order, then the report", async () => {
  await withReportFile(async (file) => {
    const events: BrowserRunEvent[] = [];
    const { report } = await runBrowser(request(file, { onEvent: (event) => events.push(event) }));
    assert.deepEqual(await written(file), report);
    assert.deepEqual(namesOf(report.visits), namesOf(ORDER));
    assert.equal(report.status, "complete");
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        "run",
        ...["ready-check", "ready-checked", "ready-check", "ready-checked"],
        ...ORDER.flatMap(() => ["visit", "visited"]),
        "report",
      ],
    );
    assert.deepEqual(await readdir(path.dirname(file)), ["report.json"], "the journal has done its work");
    assert.deepEqual(
      report.provenance.adapters.map(({ runtimeVersion }) => runtimeVersion),
      ["26.10.0", "26.10.0"],
    );
  });
});

test("a visit is on disk before the next one begins", async () => {
  await withReportFile(async (file) => {
    let made = 0;
    const visit = async (planned: PlannedBrowserVisit): Promise<BrowserVisit> => {
      const entries = (await readJournal(BROWSER_JOURNAL, file)).visits;
      assert.equal(entries.length, PLAN.adapters.length + made);
      made += 1;
      return await right(planned);
    };
    await runBrowser(request(file, { visit }));
    assert.equal(made, ORDER.length);
  });
});

test("all visits are attempted, then the run throws, lists what wasn't right, and leaves no report", async () => {
  await withReportFile(async (file) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, "an earlier report");
    const visited: string[] = [];
    const visit = async (planned: PlannedBrowserVisit): Promise<BrowserVisit> => {
      visited.push(...namesOf([planned]));
      if (planned.round === 1) return await (planned.adapter === "a" ? wrong : failed)(planned);
      return await right(planned);
    };
    const kept = lists(
      /^2 of 8 visits weren't right/,
      /a round 1: wrong, kept in results\/failures\/one\n {4}step 12, edit field: expected none; seen one, in todo-007/,
      /b round 1: failed at launch \(browser-exit\): it ended\n {4}Look at it\./,
    );
    await assert.rejects(runBrowser(request(file, { visit })), kept);
    assert.deepEqual(visited, namesOf(ORDER));
    assert.equal(await readFile(file, "utf8"), "an earlier report", "which is left in its place");
    const journal = await readJournal(BROWSER_JOURNAL, file);
    assert.equal(journal.visits.length, ORDER.length + PLAN.adapters.length);
  });
});

test("a wrong visit isn't made again when the run is gone on with: there still is no report", async () => {
  await withReportFile(async (file) => {
    await assert.rejects(runBrowser(request(file, { visit: wrong })), lists(/^6 of 8 visits/));
    const resumed = await readJournal(BROWSER_JOURNAL, file);
    const visit = async () => assert.fail("every visit has been made");
    const checkReady = async () => assert.fail("every product has been checked");
    await assert.rejects(
      runBrowser(request(file, { resumed, visit, checkReady })),
      lists(/^6 of 8 visits weren't right/),
    );
    assert.deepEqual(await readdir(path.dirname(file)), [path.basename(journalPath(file))]);
  });
});

test("a ready check that isn't right costs the report too, after all visits", async () => {
  await withReportFile(async (file) => {
    let visits = 0;
    const checkReady = async (adapter: string): Promise<ReadyCheck> => ({
      status: "wrong",
      adapter,
      problems: [{ rule: "toggle within the ready mark", expected: "completed", seen: "active" }],
      keptIn: null,
    });
    const visit = async (planned: PlannedBrowserVisit): Promise<BrowserVisit> => {
      visits += 1;
      return await right(planned);
    };
    await assert.rejects(
      runBrowser(request(file, { checkReady, visit })),
      lists(
        /^2 of 8/,
        /a, ready check: wrong\n {4}toggle within the ready mark: expected completed; seen active/,
      ),
    );
    assert.equal(visits, ORDER.length);
  });
});

test("a visit that calls itself right while its readings can't be is wrong", async () => {
  await withReportFile(async (file) => {
    const visit = async (planned: PlannedBrowserVisit): Promise<BrowserVisit> => {
      const made = makeRightVisit(PLAN, planned, STARTED_MS, planned.round);
      return { ...made, protocol: "http/1.1" };
    };
    await assert.rejects(
      runBrowser(request(file, { visit })),
      lists(/a round 1: wrong\n {4}protocol: expected h2; seen http\/1\.1/),
    );
  });
});

test("an interrupted run has a partial report, and goes on from its journal to a whole one", async () => {
  await withReportFile(async (file) => {
    await runBrowser(request(file, interruptedAt(4)));
    const interrupted = await written(file);
    assert.deepEqual(namesOf(interrupted.visits), namesOf(ORDER.slice(0, 3)));
    assert.equal(interrupted.status, "partial");
    const resumed = await readJournal(BROWSER_JOURNAL, file);
    const made: PlannedBrowserVisit[] = [];
    const visit = async (planned: PlannedBrowserVisit): Promise<BrowserVisit> => {
      made.push(planned);
      return await right(planned);
    };
    const checkReady = async () => assert.fail("every product has been checked");
    await runBrowser(request(file, { resumed, visit, checkReady }));
    assert.deepEqual(namesOf(made), namesOf(ORDER.slice(3)));
    const whole = await written(file);
    assert.deepEqual(namesOf(whole.visits), namesOf(ORDER));
    assert.equal(whole.status, "complete");
    assert.equal((await readdir(path.dirname(file))).length, 2, "the interrupted report is kept aside");
  });
});

test("an interruption before the first visit has ended leaves the journal, and no report", async () => {
  await withReportFile(async (file) => {
    const early = interruptedAt(1);
    await assert.rejects(runBrowser(request(file, early)), (error) => error === early.signal.reason);
    assert.deepEqual(await readdir(path.dirname(file)), [path.basename(journalPath(file))]);
  });
});

test("a fault of the suite ends the run with its error, and the journal stays", async () => {
  await withReportFile(async (file) => {
    const fault = new Error("a fault of the suite");
    const visit = async (): Promise<BrowserVisit> => {
      throw fault;
    };
    await assert.rejects(runBrowser(request(file, { visit })), (error) => error === fault);
    assert.deepEqual(await readdir(path.dirname(file)), [path.basename(journalPath(file))]);
  });
});

test("a run goes on only with the same browser, switches and display", () => {
  const head = { contractVersion: 1, plan: PLAN, provenance: PROVENANCE, browser: STACK };
  assertResumable(browserRunFacts(head), browserRunFacts({ ...head }));
  const others: [RegExp, Partial<typeof STACK>][] = [
    [/browser version/, { version: "Chromium/157.0.0.0" }],
    [/browser switches/, { switches: [] }],
    [/display/, { display: { kind: "present", description: "another" } }],
  ];
  for (const [said, change] of others) {
    assert.throws(
      () =>
        assertResumable(
          browserRunFacts(head),
          browserRunFacts({ ...head, browser: { ...STACK, ...change } }),
        ),
      (error) => error instanceof BenchError && error.code === "resume-refused" && said.test(error.message),
    );
  }
});
