/**
 * Whether a report can be believed: everything that follows from its raw readings is recomputed and compared, the
 * readings are held against each other, and plan, visits and provenance against one another. What this can't show
 * stands in docs/what-verification-cannot-show.md.
 */
import { derivedFrom } from "./build.ts";
import { checkCommand } from "./checks/command.ts";
import { checkCopies } from "./checks/copies.ts";
import {
  checkMemory,
  checkProvenance,
  checkSequence,
  checkTimes,
  checkTopology,
  problem,
} from "./checks/run.ts";
import { checkConsistency } from "./consistency.ts";
import { differences } from "./differences.ts";
import { cellName, orderOf, type PlannedVisit } from "./order.ts";
import type {
  AdapterProvenance,
  LoadReport,
  MeasuredVisit,
  Problem,
  RunPlan,
  Visit,
  VisitTiming,
} from "./schema.ts";
import { largest } from "./statistics.ts";

/** What every official run is measured by. */
const OFFICIAL_PLAN = {
  filtered: false,
  connections: 64,
  workers: 2,
  unrecordedMs: 2000,
  probeMs: 4000,
  warmMs: 3000,
  warmLimitMs: 15_000,
  windowMs: 20_000,
  timeoutMs: 10_000,
  rssIntervalMs: 200,
  pssIntervalMs: 1000,
} as const satisfies Partial<RunPlan>;

/** Everything that is wrong with a report that its schema has passed; empty where nothing is. Pure; throws nothing. */
export function verifyLoadReport(report: LoadReport): Problem[] {
  return [
    ...checkPlan(report.plan),
    ...checkOrder(report.plan, report.visits),
    ...report.visits.flatMap((visit, index) => checkVisit(visit, index, report)),
    ...checkTimes(report.visits.map(timingOf), report.provenance),
    ...checkProvenance(report.provenance, report.plan.adapters, measuredAdapters(report.visits)),
    ...checkTopology(report.provenance.machine),
    ...checkMachine(report),
    ...checkCopies(report.visits),
    ...checkCommand(report.provenance.command, report.plan),
    ...checkDerived(report),
  ];
}

/** Exactly the visits of the plan, in the order that its seed gives. */
function checkOrder(plan: RunPlan, visits: readonly Visit[]): Problem[] {
  // A round has a visit at least: of a plan with more rounds than visits the first ones show what is missing.
  const rounds = Math.min(plan.rounds, visits.length + 1);
  return checkSequence("visits", orderOf({ ...plan, rounds }).map(visitName), visits.map(visitName));
}

/** A plan of its runtime mode, without a cell twice, on CPUs apart. */
function checkPlan(plan: RunPlan): Problem[] {
  const problems = [
    ...differences("plan.adapters", [...new Set(plan.adapters)].sort(), plan.adapters),
    ...differences("plan.responseModes", [...new Set(plan.responseModes)], plan.responseModes),
    ...differences("plan.cpus.others", [...new Set(plan.cpus.others)], plan.cpus.others),
  ];
  if (plan.runtimeMode === "quick") return problems;
  const shared = plan.cpus.others.includes(plan.cpus.server);
  return [
    ...problems,
    ...Object.entries(OFFICIAL_PLAN).flatMap(([field, value]) =>
      differences(`plan.${field}`, value, plan[field as keyof typeof OFFICIAL_PLAN]),
    ),
    ...(plan.responseModes.length === 1
      ? []
      : [problem("plan.responseModes", "one mode in an official run", plan.responseModes.join(", "))]),
    ...(shared
      ? [problem("plan.cpus", "a server CPU of its own", `CPU ${plan.cpus.server} is the load's too`)]
      : []),
  ];
}

function visitName(visit: PlannedVisit): string {
  return `${cellName(visit)} round ${visit.round}${visit.telemetry ? "" : ", sampler off"}`;
}

/** A measured visit's readings agree, with each other and with what the provenance says of its adapter. */
function checkVisit(visit: Visit, index: number, { plan, provenance }: LoadReport): Problem[] {
  const entry = provenance.adapters.find(({ adapter }) => adapter === visit.adapter);
  const missing =
    entry === undefined
      ? [problem(`visits.${index}.adapter`, "an adapter of the provenance", visit.adapter)]
      : [];
  if (visit.status !== "measured") return missing;
  const where = `visits.${index} (${visitName(visit)})`;
  return [
    ...missing,
    ...checkConsistency(visit, plan).map((one) => ({ ...one, rule: `${where}: ${one.rule}` })),
    ...(entry === undefined ? [] : sameIdentity(where, visit, entry)),
    ...visit.warnings
      .filter(({ cell }) => cell !== null && cell !== cellName(visit))
      .map(({ cell }) => problem(`${where}.warnings`, cellName(visit), `${cell}`)),
  ];
}

function sameIdentity(where: string, { server }: MeasuredVisit, entry: AdapterProvenance): Problem[] {
  return (["runtime", "runtimeVersion", "frameworkVersion"] as const).flatMap((field) =>
    differences(`${where}.server.${field}`, entry[field], server[field]),
  );
}

/** The plan's CPUs are the machine's, and nothing held more memory than there is. */
function checkMachine({ plan, provenance, visits }: LoadReport): Problem[] {
  const { machine } = provenance;
  const allowed = new Set(machine.allowedCpus);
  const strange = [plan.cpus.server, ...plan.cpus.others].filter((cpu) => !allowed.has(cpu));
  const held = largest([0, ...visits.map(mostMemory)]);
  return [
    ...(strange.length === 0
      ? []
      : [problem("plan.cpus", `among the allowed ${machine.allowedCpus.join(", ")}`, strange.join(", "))]),
    ...checkMemory(machine, held),
  ];
}

function timingOf(visit: Visit): VisitTiming | null {
  return visit.status === "skipped" ? null : visit.timing;
}

/** Those whose server was measured at least once. */
function measuredAdapters(visits: readonly Visit[]): ReadonlySet<string> {
  return new Set(visits.filter(({ status }) => status === "measured").map(({ adapter }) => adapter));
}

function mostMemory(visit: Visit): number {
  if (visit.status !== "measured") return 0;
  return largest([visit.sampled.vmHwmBytes ?? 0, ...visit.sampled.pss.map(({ bytes }) => bytes)]);
}

/** Rows, warnings, statuses and the control say what the visits say. */
function checkDerived(report: LoadReport): Problem[] {
  const derived = derivedFrom(report.plan, report.visits);
  return (Object.keys(derived) as (keyof typeof derived)[]).flatMap((field) =>
    differences(field, derived[field], report[field]),
  );
}
