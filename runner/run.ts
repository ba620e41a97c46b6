/** A whole run: every visit of the plan in its order, each safe on disk before the next begins, then the report. */
import { assertWritable } from "../harness/files.ts";
import { createJournal, type Journal, removeJournal, reopenJournal } from "../harness/journal.ts";
import { TimeLeft } from "../harness/time-left.ts";
import { writeReport } from "../harness/write-report.ts";
import { buildLoadReport } from "../report/build.ts";
import { orderOf, type PlannedVisit } from "../report/order.ts";
import { checkLoadReport } from "../report/read.ts";
import {
  type LoadReport,
  type Provenance,
  type RunPlan,
  SCHEMA_VERSION,
  type StageName,
  type Visit,
} from "../report/schema.ts";
import type { OnRunEvent } from "./events.ts";
import type { LoadJournal, LoadJournalHead } from "./journal.ts";
import { endLoadProvenance } from "./provenance.ts";

/** Starting, verifying and stopping two servers, before the first visit has shown what they take. */
const FIRST_GUESS_MS = 4000;

/** A journal and a report with their series and histograms: about 40 KB a visit, doubled for the two of them. */
const BYTES_PER_VISIT = 100_000;

export interface RunRequest {
  readonly plan: RunPlan;
  readonly provenance: Provenance;
  readonly contractVersion: number;
  /** Absolute path of the report. */
  readonly file: string;
  /** The journal of a run that died, to go on from. */
  readonly resumed: LoadJournal | null;
  readonly visit: (planned: PlannedVisit, onStage: (stage: StageName) => void) => Promise<Visit>;
  readonly onEvent: OnRunEvent;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

export interface RunOutcome {
  readonly report: LoadReport;
  /** Where an earlier report of the same name is kept; null where there was none. */
  readonly keptAside: string | null;
}

/**
 * Makes the visits and writes the report. An interruption ends the visits, not the report: what was measured is in
 * it, the rest is `skipped`, and its journal stays to be gone on from.
 * @throws BenchError `not-writable` before the first visit where that can be known
 */
export async function runLoad(request: RunRequest): Promise<RunOutcome> {
  const order = orderOf(request.plan);
  await assertWritable(request.file, order.length * BYTES_PER_VISIT);
  const journal = await openJournal(request);
  const visits = [...(request.resumed?.visits ?? [])];
  try {
    request.onEvent({
      type: "run",
      plan: request.plan,
      file: request.file,
      visits: order.length,
      done: visits.length,
    });
    await makeVisits(request, order, visits, journal);
  } finally {
    await journal.close();
  }
  return await reportOf(request, [...visits, ...order.slice(visits.length).map(skip)]);
}

async function openJournal({
  file,
  plan,
  provenance,
  contractVersion,
  resumed,
}: RunRequest): Promise<Journal<Visit>> {
  if (resumed !== null) return await reopenJournal(file, resumed);
  const head: LoadJournalHead = {
    kind: "ssr-load-journal",
    schemaVersion: SCHEMA_VERSION,
    contractVersion,
    plan,
    provenance,
  };
  return await createJournal(file, head);
}

async function makeVisits(
  request: RunRequest,
  order: readonly PlannedVisit[],
  visits: Visit[],
  journal: Journal<Visit>,
): Promise<void> {
  const { unrecordedMs, probeMs, warmMs, windowMs } = request.plan;
  const guessMs = unrecordedMs + 3 * probeMs + warmMs + windowMs + FIRST_GUESS_MS;
  const timeLeft = new TimeLeft(guessMs, order.length - visits.length);
  for (const planned of order.slice(visits.length)) {
    if (request.signal.aborted) return;
    request.onEvent({ type: "visit", visit: planned, nth: visits.length + 1, leftMs: timeLeft.leftMs() });
    const visit = await unlessInterrupted(request, planned, timeLeft);
    if (visit === null) return;
    await journal.append(visit);
    visits.push(visit);
    timeLeft.visited();
    request.onEvent({ type: "visited", visit, leftMs: timeLeft.leftMs() });
  }
}

/** Null where the visit was cut short by the run's own end. */
async function unlessInterrupted(
  request: RunRequest,
  planned: PlannedVisit,
  timeLeft: TimeLeft,
): Promise<Visit | null> {
  try {
    return await request.visit(planned, (stage) =>
      request.onEvent({ type: "stage", visit: planned, stage, leftMs: timeLeft.leftMs() }),
    );
  } catch (error) {
    if (request.signal.aborted) return null;
    throw error;
  }
}

function skip(planned: PlannedVisit): Visit {
  return { status: "skipped", ...planned, reason: "the run was interrupted" };
}

async function reportOf(request: RunRequest, visits: readonly Visit[]): Promise<RunOutcome> {
  const { plan, contractVersion, file } = request;
  const provenance = endLoadProvenance(request.provenance, visits, request.now());
  const report = buildLoadReport({ plan, provenance, contractVersion, visits });
  const keptAside = await writeReport(file, report, checkLoadReport, request.now());
  if (!visits.some((visit) => visit.status === "skipped")) await removeJournal(file);
  request.onEvent({ type: "report", report, file, keptAside });
  return { report, keptAside };
}
