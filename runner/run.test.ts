import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { BenchError } from "../harness/errors.ts";
import { journalPath, readJournal } from "../harness/journal.ts";
import type { PlannedVisit } from "../report/order.ts";
import { orderOf } from "../report/order.ts";
import { readLoadReport } from "../report/read.ts";
import type { LoadReport, Visit } from "../report/schema.ts";
import type { RunEvent } from "./events.ts";
import { LOAD_JOURNAL } from "./journal.ts";
import { makePlan } from "./plan.ts";
import { type RunRequest, runLoad } from "./run.ts";
import { PROVENANCE } from "./test/provenance.ts";

const PLAN = makePlan(
  { runtimeMode: "quick", filtered: false, rounds: 2 },
  ["a", "b"],
  { server: 0, others: [1] },
  1,
);
const AT = new Date("2026-01-01T00:00:10.000Z");

function failed(planned: PlannedVisit): Visit {
  return {
    status: "failed",
    ...planned,
    timing: { startedAt: "2026-01-01T00:00:05.000Z", stages: [{ stage: "start", durationMs: 1 }] },
    failure: { stage: "start", code: "server-exit", message: "it ended", hint: "look at it" },
  };
}

function request(file: string, change: Partial<RunRequest> = {}): RunRequest {
  return {
    plan: PLAN,
    provenance: PROVENANCE,
    contractVersion: 1,
    file,
    resumed: null,
    visit: async (planned) => failed(planned),
    onEvent: () => undefined,
    now: () => AT,
    signal: new AbortController().signal,
    ...change,
  };
}

async function withReportFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "run-test-"));
  try {
    await work(path.join(folder, "report.json"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function written(file: string): Promise<LoadReport> {
  const read = readLoadReport(await readFile(file, "utf8"));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.report;
}

test("every visit of the plan is made in its order, failures are rows, and the journal has done its work", async () => {
  await withReportFile(async (file) => {
    const events: RunEvent[] = [];
    await runLoad(request(file, { onEvent: (event) => events.push(event) }));
    const report = await written(file);
    const names = (visits: readonly PlannedVisit[]) =>
      visits.map(({ adapter, responseMode, round }) => [adapter, responseMode, round]);
    assert.deepEqual(names(report.visits), names(orderOf(PLAN)));
    assert.deepEqual(
      report.rows.map(({ adapter, responseMode, status }) => [adapter, responseMode, status]),
      [
        ["a", "progressive", "failed"],
        ["a", "complete", "failed"],
        ["b", "progressive", "failed"],
        ["b", "complete", "failed"],
      ],
    );
    assert.equal(report.status, "partial");
    assert.deepEqual(await readdir(path.dirname(file)), ["report.json"]);
    assert.deepEqual([events[0]?.type, events.at(-1)?.type], ["run", "report"]);
  });
});

test("a visit is on disk before the next one begins", async () => {
  await withReportFile(async (file) => {
    let made = 0;
    const visit = async (planned: PlannedVisit): Promise<Visit> => {
      assert.equal((await readJournal(LOAD_JOURNAL, file)).visits.length, made);
      made += 1;
      return failed(planned);
    };
    await runLoad(request(file, { visit }));
    assert.equal(made, orderOf(PLAN).length);
  });
});

test("an interrupted run has its report, says what is missing, and goes on from its journal", async () => {
  await withReportFile(async (file) => {
    const run = new AbortController();
    let made = 0;
    const visit = async (planned: PlannedVisit): Promise<Visit> => {
      made += 1;
      if (made === 3) {
        run.abort(new BenchError({ stage: "setup", code: "interrupted", message: "Ctrl-C", hint: "-" }));
        throw run.signal.reason;
      }
      return failed(planned);
    };
    await runLoad(request(file, { visit, signal: run.signal }));
    const interrupted = await written(file);
    assert.deepEqual(
      interrupted.visits.map(({ status }) => status),
      ["failed", "failed", ...Array(6).fill("skipped")],
    );
    const resumed = await readJournal(LOAD_JOURNAL, file);
    assert.equal(resumed.visits.length, 2);
    await runLoad(request(file, { resumed }));
    const whole = await written(file);
    assert.deepEqual(
      whole.visits.map(({ status }) => status),
      Array(8).fill("failed"),
    );
    assert.deepEqual((await readdir(path.dirname(file))).length, 2, "the interrupted report is kept aside");
  });
});

test("an earlier report of the same name is kept aside, whole", async () => {
  await withReportFile(async (file) => {
    await writeFile(file, "an earlier report");
    const events: RunEvent[] = [];
    await runLoad(request(file, { onEvent: (event) => events.push(event) }));
    const last = events.at(-1);
    const kept = last?.type === "report" ? last.keptAside : null;
    assert.equal(await readFile(kept as string, "utf8"), "an earlier report");
    await written(file);
  });
});

test("a visit that throws without an interruption ends the run with its error, and the journal stays", async () => {
  await withReportFile(async (file) => {
    const fault = new Error("a fault of the suite");
    await assert.rejects(
      runLoad(
        request(file, {
          visit: async () => {
            throw fault;
          },
        }),
      ),
      (error) => error === fault,
    );
    assert.deepEqual(await readdir(path.dirname(file)), [path.basename(journalPath(file))]);
  });
});
