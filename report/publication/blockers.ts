/** What keeps reports from being published: every reason at once, and no flag gets round one. Pure. */
import type { AnyReport } from "../any-report.ts";
import { checkCopies } from "../checks/copies.ts";
import { differences } from "../differences.ts";
import type { LoadReport, Problem, RunProvenance } from "../schema.ts";
import { type FoundInput, INPUTS, type InputName } from "./inputs.ts";

export const BLOCKER_CODES = [
  "missing-report",
  "not-verified",
  "wrong-report",
  "not-official",
  "filtered",
  "not-whole",
  "failed-row",
  "unpublishable-row",
  "dirty-source",
  "other-source",
  "dirty-link",
  "other-contract",
  "other-adapters",
  "reports-differ",
  "copied-readings",
] as const;

/** One reason. */
export interface Blocker {
  readonly code: (typeof BLOCKER_CODES)[number];
  /** The report that it is about. */
  readonly file: InputName;
  /** What is wrong, and the next thing to do where there is one. */
  readonly message: string;
}

/** The checkout that publishes. */
export interface Publisher {
  readonly sourceDigest: string;
  readonly contractVersion: number;
  /** Ids of the adapters found in it. */
  readonly adapters: readonly string[];
}

/** One wrong part breaks the same rule in many visits. */
const MOST_PROBLEMS = 20;

/** Everything that keeps these reports, which are there, from being published; empty where nothing does. */
export function blockersOf(found: readonly FoundInput[], publisher: Publisher): Blocker[] {
  const readable = found.flatMap(({ name, verified }) =>
    verified.report === null ? [] : [{ name, report: verified.report }],
  );
  return [
    ...found.flatMap(({ name, verified }) => unverified(name, verified.problems)),
    ...readable.flatMap(({ name, report }) => [
      ...kindBlockers(name, report),
      ...wholeBlockers(name, report),
      ...sourceBlockers(name, report, publisher),
    ]),
    ...differenceBlockers(readable),
    ...copyBlockers(readable),
  ];
}

/** That a report which is needed isn't there. */
export function missingReport(file: InputName): Blocker {
  return { code: "missing-report", file, message: `it isn't there; make it: ${INPUTS[file].command}` };
}

function unverified(file: InputName, problems: readonly Problem[]): Blocker[] {
  const shown = problems.slice(0, MOST_PROBLEMS).map(
    ({ rule, expected, seen }): Blocker => ({
      code: "not-verified",
      file,
      message: `${rule}: expected ${expected}; seen ${seen}`,
    }),
  );
  const more = problems.length - shown.length;
  if (more > 0) shown.push({ code: "not-verified", file, message: `and ${more} more of this kind` });
  return shown;
}

function kindBlockers(file: InputName, { kind, responseMode, runtimeMode, filtered }: AnyReport): Blocker[] {
  const expected = INPUTS[file];
  const again = `make it anew: ${expected.command}`;
  return [
    ...when(kind !== expected.kind || responseMode !== expected.responseMode, {
      code: "wrong-report",
      file,
      message: `it is a report of kind ${kind}, ${responseMode}, where ${expected.kind}, ${expected.responseMode}, belongs`,
    }),
    ...when(runtimeMode !== "official", {
      code: "not-official",
      file,
      message: `it is of a ${runtimeMode} run; ${again}`,
    }),
    ...when(filtered, { code: "filtered", file, message: `adapters were left out; ${again}` }),
  ];
}

/** Every cell, or every visit, and none that failed or contradicts itself. */
function wholeBlockers(file: InputName, report: AnyReport): Blocker[] {
  if (report.kind === "ssr-browser") {
    const planned = report.plan.adapters.length * report.plan.rounds;
    return when(report.visits.length !== planned, {
      code: "not-whole",
      file,
      message: `it has ${report.visits.length} of ${planned} visits; go on with: node todo/browser/cli.mjs --resume results/${file}`,
    });
  }
  return report.rows.flatMap((row) => {
    if (row.status === "failed") {
      const { stage, code, message } = row.failure;
      return when(true, {
        code: code === "interrupted" ? "not-whole" : "failed-row",
        file,
        message: `${row.adapter}: failed in ${stage} (${code}): ${message.split("\n")[0]}`,
      });
    }
    const wrong = row.reasons.filter((reason) => reason === "invalid" || reason === "inconsistent");
    return when(wrong.length > 0, {
      code: "unpublishable-row",
      file,
      message: `${row.adapter} is ${wrong.join(" and ")}: find the cause with npm run verify -- --only ${row.adapter}`,
    });
  });
}

/** A clean source, which is the publisher's, with all of its adapters. */
function sourceBlockers(
  file: InputName,
  { provenance, contractVersion, plan }: AnyReport,
  publisher: Publisher,
): Blocker[] {
  const { dirty, gitRevision, sourceDigest } = provenance;
  const missing = publisher.adapters.filter((id) => !plan.adapters.includes(id));
  const unknown = plan.adapters.filter((id) => !publisher.adapters.includes(id));
  return [
    ...when(dirty !== false || gitRevision === null, {
      code: "dirty-source",
      file,
      message:
        dirty === true
          ? "it was measured with changes that weren't committed: commit them and measure again"
          : "git couldn't say which source was measured",
    }),
    ...when(sourceDigest !== publisher.sourceDigest, {
      code: "other-source",
      file,
      message: `its source is ${short(sourceDigest)}, this checkout's is ${short(publisher.sourceDigest)}: publish from the revision that was measured (${gitRevision}), or measure again`,
    }),
    ...provenance.links
      .filter((link) => link.dirty !== false)
      .map(
        ({ name }): Blocker => ({
          code: "dirty-link",
          file,
          message: `what was linked of ${name} had changes that weren't committed: commit them there, link again, measure again`,
        }),
      ),
    ...when(contractVersion !== publisher.contractVersion, {
      code: "other-contract",
      file,
      message: `it is of contract version ${contractVersion}, this checkout of ${publisher.contractVersion}`,
    }),
    ...when(missing.length > 0, {
      code: "other-adapters",
      file,
      message: `these adapters of this checkout aren't in it: ${missing.join(", ")}`,
    }),
    ...when(unknown.length > 0, {
      code: "other-adapters",
      file,
      message: `these adapters in it aren't in this checkout: ${unknown.join(", ")}`,
    }),
  ];
}

interface Readable {
  readonly name: InputName;
  readonly report: AnyReport;
}

/** What all reports of a publication have in common, each by the words that a person reads. */
const COMMON = {
  "contract version": ({ contractVersion }: AnyReport) => contractVersion,
  "source digest": ({ provenance }: AnyReport) => provenance.sourceDigest,
  "git revision": ({ provenance }: AnyReport) => provenance.gitRevision,
  "dependency mode": ({ provenance }: AnyReport) => provenance.dependencyMode,
  links: ({ provenance }: AnyReport) => provenance.links,
  machine: ({ provenance }: AnyReport) => provenance.machine,
  adapters: ({ provenance }: AnyReport) => adaptersOf(provenance),
};

function adaptersOf({ adapters }: RunProvenance): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    adapters.map(({ adapter, runtimeVersion, frameworkVersion, artifacts }) => [
      adapter,
      { runtimeVersion, frameworkVersion, artifacts },
    ]),
  );
}

/** Reports of one publication are of one source, on one machine; each is held against the first. */
function differenceBlockers([first, ...others]: readonly Readable[]): Blocker[] {
  if (first === undefined) return [];
  return others.flatMap(({ name, report }) =>
    Object.entries(COMMON).flatMap(([what, read]) => {
      const [difference] = differences(what, read(first.report), read(report));
      return when(difference !== undefined, {
        code: "reports-differ",
        file: name,
        message: `its ${what} isn't that of ${first.name}: ${difference?.rule} is ${difference?.seen}, and there ${difference?.expected}`,
      });
    }),
  );
}

/** A row that was copied from the other run brings its readings with it. */
function copyBlockers(readable: readonly Readable[]): Blocker[] {
  const loads = readable.filter(
    (one): one is Readable & { readonly report: LoadReport } => one.report.kind === "ssr-load",
  );
  const last = loads.at(-1);
  if (loads.length < 2 || last === undefined) return [];
  return checkCopies(loads.flatMap(({ report }) => report.visits)).map(({ rule, seen }) => ({
    code: "copied-readings",
    file: last.name,
    message: `counted over all load reports, ${rule} has ${seen}`,
  }));
}

function when(blocked: boolean, blocker: Blocker): Blocker[] {
  return blocked ? [blocker] : [];
}

function short(digest: string): string {
  return digest.slice(0, 12);
}
