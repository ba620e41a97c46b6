/**
 * Whether a report can be believed: everything that follows from its raw readings is recomputed and compared, the
 * readings are held against each other, and plan, visits and provenance against one another. What this can't show
 * stands in docs/what-verification-cannot-show.md.
 */
import { derivedFrom } from "./build.ts";
import { checkConsistency } from "./consistency.ts";
import { differences } from "./differences.ts";
import { cellName, orderOf, type PlannedVisit } from "./order.ts";
import type {
  AdapterProvenance,
  LoadReport,
  MeasuredVisit,
  Problem,
  Provenance,
  RunPlan,
  Visit,
} from "./schema.ts";
import { sum } from "./statistics.ts";

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

/** Wall clocks are set while a run goes on, by a little; durations are from the monotonic one. */
const WALL_SLACK_MS = 1000;

/** Everything that is wrong with a report that its schema has passed; empty where nothing is. Pure; throws nothing. */
export function verifyLoadReport(report: LoadReport): Problem[] {
  return [
    ...checkPlan(report.plan),
    ...checkOrder(report.plan, report.visits),
    ...report.visits.flatMap((visit, index) => checkVisit(visit, index, report)),
    ...checkTimes(report.visits, report.provenance),
    ...checkProvenance(report),
    ...checkMachine(report),
    ...checkDerived(report),
  ];
}

function problem(rule: string, expected: string, seen: string): Problem {
  return { rule, expected, seen };
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

/** Exactly the visits of the plan, in the order that its seed gives. */
function checkOrder(plan: RunPlan, visits: readonly Visit[]): Problem[] {
  const planned = orderOf(plan);
  const longest = Math.max(planned.length, visits.length);
  return Array.from({ length: longest }, (_, index) => {
    const expected = visitName(planned[index]);
    const seen = visitName(visits[index]);
    return expected === seen ? [] : [problem(`visits.${index}`, expected, seen)];
  }).flat();
}

function visitName(visit: PlannedVisit | undefined): string {
  if (visit === undefined) return "nothing";
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

/** Visits follow each other, each with room for its stages, between the run's start and its end. */
function checkTimes(visits: readonly Visit[], provenance: Provenance): Problem[] {
  const problems: Problem[] = [];
  let freeFromMs = Date.parse(provenance.startedAt);
  for (const [index, visit] of visits.entries()) {
    if (visit.status === "skipped") continue;
    const { startedAt, stages } = visit.timing;
    const startedMs = Date.parse(startedAt);
    if (startedMs < freeFromMs - WALL_SLACK_MS) {
      const expected = `no earlier than ${new Date(freeFromMs).toISOString()}, when the one before ended`;
      problems.push(problem(`visits.${index}.timing.startedAt`, expected, startedAt));
    }
    freeFromMs = Math.max(freeFromMs, startedMs + sum(stages.map(({ durationMs }) => durationMs)));
  }
  if (Date.parse(provenance.endedAt) < freeFromMs - WALL_SLACK_MS) {
    const expected = `no earlier than ${new Date(freeFromMs).toISOString()}, when the last visit ended`;
    problems.push(problem("provenance.endedAt", expected, provenance.endedAt));
  }
  return problems;
}

/** An entry for each adapter of the plan, and a reason for everything that isn't known. */
function checkProvenance({ plan, provenance, visits }: LoadReport): Problem[] {
  const measured = new Set(
    visits.filter(({ status }) => status === "measured").map(({ adapter }) => adapter),
  );
  return [
    ...differences(
      "provenance.adapters",
      plan.adapters,
      provenance.adapters.map(({ adapter }) => adapter),
    ),
    ...provenance.adapters.flatMap(({ adapter, artifacts, runtimeVersion }) => [
      ...(artifacts.length > 0
        ? []
        : [problem(`provenance.adapters.${adapter}.artifacts`, "at least one", "none")]),
      ...differences(
        `provenance.adapters.${adapter}.artifacts`,
        [...new Set(artifacts.map((artifact) => artifact.path))],
        artifacts.map((artifact) => artifact.path),
      ),
      ...(measured.has(adapter) || runtimeVersion === null
        ? []
        : [
            problem(
              `provenance.adapters.${adapter}.runtimeVersion`,
              "null: no server of it was measured",
              runtimeVersion,
            ),
          ]),
    ]),
    ...checkNulls(provenance),
    ...(provenance.gitRevision !== null || provenance.dirty === "unknown"
      ? []
      : [problem("provenance.dirty", '"unknown" without a revision', `${provenance.dirty}`)]),
    ...((provenance.dependencyMode === "local-source") === provenance.links.length > 0
      ? []
      : [
          problem(
            "provenance.links",
            `what ${provenance.dependencyMode} links`,
            `${provenance.links.length} links`,
          ),
        ]),
  ];
}

/** What is null says why: by its path, where lists of adapters and links go by name. */
function checkNulls({ nullReasons, adapters, links, gitRevision, machine }: Provenance): Problem[] {
  const nullable: [string, unknown][] = [
    ["gitRevision", gitRevision],
    ...Object.entries(machine).map(([field, value]): [string, unknown] => [`machine.${field}`, value]),
    ...adapters.map(({ adapter, runtimeVersion }): [string, unknown] => [
      `adapters.${adapter}.runtimeVersion`,
      runtimeVersion,
    ]),
    ...links.map(({ name, revision }): [string, unknown] => [`links.${name}.revision`, revision]),
  ];
  return nullable
    .filter(([path, value]) => value === null && nullReasons[path] === undefined)
    .map(([path]) => problem(`provenance.nullReasons.${path}`, "the reason why it is null", "none"));
}

/** The plan's CPUs are the machine's, and nothing held more memory than there is. */
function checkMachine({ plan, provenance, visits }: LoadReport): Problem[] {
  const { machine } = provenance;
  const allowed = new Set(machine.allowedCpus);
  const strange = [plan.cpus.server, ...plan.cpus.others].filter((cpu) => !allowed.has(cpu));
  const { coresPerSocket, threadsPerCore, sockets } = machine;
  const counted = (coresPerSocket ?? 0) * (threadsPerCore ?? 0) * (sockets ?? 0);
  const held = Math.max(0, ...visits.map(mostMemory));
  return [
    ...(strange.length === 0
      ? []
      : [problem("plan.cpus", `among the allowed ${machine.allowedCpus.join(", ")}`, strange.join(", "))]),
    ...(machine.allowedCpus.length <= machine.logicalCpus
      ? []
      : [
          problem(
            "provenance.machine.logicalCpus",
            `at least ${machine.allowedCpus.length}`,
            `${machine.logicalCpus}`,
          ),
        ]),
    ...(counted === 0 ? [] : differences("provenance.machine.logicalCpus", counted, machine.logicalCpus)),
    ...(held <= machine.memoryBytes
      ? []
      : [
          problem("provenance.machine.memoryBytes", `at least ${held} bytes`, `${machine.memoryBytes} bytes`),
        ]),
  ];
}

function mostMemory(visit: Visit): number {
  if (visit.status !== "measured") return 0;
  return Math.max(visit.sampled.vmHwmBytes ?? 0, ...visit.sampled.pss.map(({ bytes }) => bytes));
}

/** Rows, warnings, statuses and the control say what the visits say. */
function checkDerived(report: LoadReport): Problem[] {
  const derived = derivedFrom(report.plan, report.visits);
  return (Object.keys(derived) as (keyof typeof derived)[]).flatMap((field) =>
    differences(field, derived[field], report[field]),
  );
}
