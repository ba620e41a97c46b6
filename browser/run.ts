/**
 * A whole browser run: each product's ready check, then every visit of the plan in its order, each safe on disk before
 * the next begins; then the report, unless anything wasn't right.
 */
import { assertWritable } from "../harness/files.ts";
import { createJournal, type Journal, removeJournal, reopenJournal } from "../harness/journal.ts";
import { endProvenance } from "../harness/provenance.ts";
import { TimeLeft } from "../harness/time-left.ts";
import { writeReport } from "../harness/write-report.ts";
import { buildBrowserReport } from "../report/browser/build.ts";
import { checkBrowserVisit } from "../report/browser/consistency.ts";
import { browserOrderOf, type PlannedBrowserVisit } from "../report/browser/order.ts";
import { checkBrowserReport } from "../report/browser/read.ts";
import type {
  BrowserPlan,
  BrowserReport,
  BrowserStack,
  BrowserStage,
  BrowserVisit,
  ReadyCheck,
  RightVisit,
} from "../report/browser/schema.ts";
import { type RunProvenance, SCHEMA_VERSION } from "../report/schema.ts";
import type { OnBrowserRunEvent } from "./events.ts";
import type { BrowserJournal, BrowserJournalEntry, BrowserJournalHead } from "./journal.ts";
import { assertAllRight } from "./wrong-visits.ts";

/** A journal and a report: about 6 KB a visit each, and as much again for long problems. */
const BYTES_PER_VISIT = 25_000;
/** Server, browser, page, 29 steps, before the first visit has shown what they take. */
const FIRST_GUESS_MS = 10_000;

type OnStage = (stage: BrowserStage) => void;

export interface BrowserRunRequest {
  readonly plan: BrowserPlan;
  readonly provenance: RunProvenance;
  readonly browser: BrowserStack;
  readonly contractVersion: number;
  /** Absolute path of the report. */
  readonly file: string;
  /** The journal of a run that died, to go on from. */
  readonly resumed: BrowserJournal | null;
  /** The extra, unmeasured visit of a product. Throws only the run's own interruption. */
  readonly checkReady: (adapter: string, onStage: OnStage) => Promise<ReadyCheck>;
  /** Throws only the run's own interruption. */
  readonly visit: (planned: PlannedBrowserVisit, onStage: OnStage) => Promise<BrowserVisit>;
  readonly onEvent: OnBrowserRunEvent;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

export interface BrowserRunOutcome {
  readonly report: BrowserReport;
  /** Where an earlier report of the same name is kept; null where there was none. */
  readonly keptAside: string | null;
}

/**
 * Makes all visits, whatever becomes of any, and writes the report if all were right. An interruption ends the visits:
 * where those so far were right there is a partial report of them, and the journal stays to be gone on from.
 * @throws BenchError `wrong-visits`, listing every visit that wasn't right; its journal stays and no report is written
 * @throws BenchError `not-writable` before the first visit where that can be known
 * @throws the interruption where it came before the first visit had ended
 */
export async function runBrowser(request: BrowserRunRequest): Promise<BrowserRunOutcome> {
  const run = new BrowserRun(request);
  await assertWritable(request.file, run.order.length * BYTES_PER_VISIT);
  const journal = await openJournal(request);
  try {
    run.begin();
    await run.checkAllReady(journal);
    await run.visitAll(journal);
  } finally {
    await journal.close();
  }
  assertAllRight(run.checks, run.visits, request.file);
  if (run.visits.length === 0) throw request.signal.reason;
  return await reportOf(request, run);
}

async function openJournal(request: BrowserRunRequest): Promise<Journal<BrowserJournalEntry>> {
  const { file, plan, provenance, browser, contractVersion, resumed } = request;
  if (resumed !== null) return await reopenJournal(file, resumed);
  const head: BrowserJournalHead = {
    kind: "ssr-browser-journal",
    schemaVersion: SCHEMA_VERSION,
    contractVersion,
    plan,
    provenance,
    browser,
  };
  return await createJournal(file, head);
}

/** Where a run is: what it has done already, a resumed journal's entries included, and what is still to come. */
class BrowserRun {
  readonly order: readonly PlannedBrowserVisit[];
  readonly checks: ReadyCheck[] = [];
  readonly visits: BrowserVisit[] = [];
  readonly #request: BrowserRunRequest;
  #timeLeft: TimeLeft;

  constructor(request: BrowserRunRequest) {
    this.#request = request;
    this.order = browserOrderOf(request.plan);
    for (const entry of request.resumed?.visits ?? []) this.#keep(entry);
    const left = this.#unchecked().length + this.order.length - this.visits.length;
    this.#timeLeft = new TimeLeft(FIRST_GUESS_MS, left);
  }

  begin(): void {
    const { plan, browser, file, onEvent } = this.#request;
    const [visits, done] = [this.order.length, this.visits.length];
    onEvent({ type: "run", plan, browser, file, visits, done });
  }

  async checkAllReady(journal: Journal<BrowserJournalEntry>): Promise<void> {
    const { onEvent, checkReady } = this.#request;
    for (const adapter of this.#unchecked()) {
      onEvent({ type: "ready-check", adapter, leftMs: this.#timeLeft.leftMs() });
      const check = await this.#unlessInterrupted(() => checkReady(adapter, this.#onStage(adapter, null)));
      if (check === null) return;
      await this.#record(journal, { kind: "ready-check", check });
      onEvent({ type: "ready-checked", check, leftMs: this.#timeLeft.leftMs() });
    }
  }

  async visitAll(journal: Journal<BrowserJournalEntry>): Promise<void> {
    const { onEvent, visit: makeVisit } = this.#request;
    // A ready check is shorter, and says nothing of what a visit takes.
    this.#timeLeft = new TimeLeft(FIRST_GUESS_MS, this.order.length - this.visits.length);
    for (const planned of this.order.slice(this.visits.length)) {
      const nth = this.visits.length + 1;
      if (this.#request.signal.aborted) return;
      onEvent({ type: "visit", visit: planned, nth, leftMs: this.#timeLeft.leftMs() });
      const onStage = this.#onStage(planned.adapter, planned.round);
      const made = await this.#unlessInterrupted(() => makeVisit(planned, onStage));
      if (made === null) return;
      const visit = heldToItself(made, this.#request.plan);
      await this.#record(journal, { kind: "visit", visit });
      onEvent({ type: "visited", visit, leftMs: this.#timeLeft.leftMs() });
    }
  }

  #unchecked(): string[] {
    const checked = new Set(this.checks.map(({ adapter }) => adapter));
    return this.#request.plan.adapters.filter((adapter) => !checked.has(adapter));
  }

  #onStage(adapter: string, round: number | null): OnStage {
    return (stage) =>
      this.#request.onEvent({ type: "stage", adapter, round, stage, leftMs: this.#timeLeft.leftMs() });
  }

  /** Null where it was cut short by the run's own end. */
  async #unlessInterrupted<T>(work: () => Promise<T>): Promise<T | null> {
    const { signal } = this.#request;
    if (signal.aborted) return null;
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  async #record(journal: Journal<BrowserJournalEntry>, entry: BrowserJournalEntry): Promise<void> {
    await journal.append(entry);
    this.#keep(entry);
    this.#timeLeft.visited();
  }

  #keep(entry: BrowserJournalEntry): void {
    switch (entry.kind) {
      case "ready-check":
        this.checks.push(entry.check);
        break;
      case "visit":
        this.visits.push(entry.visit);
        break;
    }
  }
}

/** A visit that calls itself right while its readings can't all be true is wrong. */
function heldToItself(visit: BrowserVisit, plan: BrowserPlan): BrowserVisit {
  if (visit.status !== "right") return visit;
  const problems = checkBrowserVisit(visit, plan);
  return problems.length === 0 ? visit : { ...visit, status: "wrong", problems, keptIn: null };
}

async function reportOf(request: BrowserRunRequest, run: BrowserRun): Promise<BrowserRunOutcome> {
  const { plan, browser, contractVersion, file, onEvent } = request;
  const visits = run.visits.filter((visit): visit is RightVisit => visit.status === "right");
  const versions = new Map(visits.map(({ adapter, runtimeVersion }) => [adapter, runtimeVersion]));
  const provenance = endProvenance(request.provenance, versions, request.now());
  const report = buildBrowserReport({ plan, provenance, browser, contractVersion, visits });
  const keptAside = await writeReport(file, report, checkBrowserReport, request.now());
  if (visits.length === run.order.length) await removeJournal(file);
  onEvent({ type: "report", report, file, keptAside });
  return { report, keptAside };
}
