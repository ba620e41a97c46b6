/** What holds of every run, whatever it measured: order, times, provenance, machine. */
import { differences } from "../differences.ts";
import type { Link, Machine, Problem, RunProvenance } from "../schema.ts";
import { sum } from "../statistics.ts";

/** Wall clocks are set while a run goes on, by a little; durations are from the monotonic one. */
const WALL_SLACK_MS = 1000;

export function problem(rule: string, expected: string, seen: string): Problem {
  return { rule, expected, seen };
}

/** Exactly these, in this order; each place that isn't so. */
export function checkSequence(rule: string, expected: readonly string[], seen: readonly string[]): Problem[] {
  return Array.from({ length: Math.max(expected.length, seen.length) }, (_, index) => {
    const [right = "nothing", found = "nothing"] = [expected[index], seen[index]];
    return right === found ? [] : [problem(`${rule}.${index}`, right, found)];
  }).flat();
}

/** When a visit began, and how long each of its stages took. */
export interface Timing {
  readonly startedAt: string;
  readonly stages: readonly { readonly durationMs: number }[];
}

/**
 * Visits follow each other, each with room for its stages, between the run's start and its end.
 * @param timings in the order of the visits; null for one that was never made
 */
export function checkTimes(timings: readonly (Timing | null)[], provenance: RunProvenance): Problem[] {
  const problems: Problem[] = [];
  let freeFromMs = Date.parse(provenance.startedAt);
  for (const [index, timing] of timings.entries()) {
    if (timing === null) continue;
    const { startedAt, stages } = timing;
    const startedMs = Date.parse(startedAt);
    if (startedMs < freeFromMs - WALL_SLACK_MS) {
      const expected = `no earlier than ${timeText(freeFromMs)}, when the one before ended`;
      problems.push(problem(`visits.${index}.timing.startedAt`, expected, startedAt));
    }
    freeFromMs = Math.max(freeFromMs, startedMs + sum(stages.map(({ durationMs }) => durationMs)));
  }
  if (Date.parse(provenance.endedAt) < freeFromMs - WALL_SLACK_MS) {
    const expected = `no earlier than ${timeText(freeFromMs)}, when the last visit ended`;
    problems.push(problem("provenance.endedAt", expected, provenance.endedAt));
  }
  return problems;
}

/** As a report writes it, or as milliseconds where a forged duration leads beyond what a date can be. */
function timeText(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? `${atMs} ms` : date.toISOString();
}

/**
 * An entry for each adapter of the plan, and a reason for everything that isn't known.
 * @param measured adapters whose server was measured at least once
 */
export function checkProvenance(
  provenance: RunProvenance,
  planned: readonly string[],
  measured: ReadonlySet<string>,
): Problem[] {
  return [
    ...differences(
      "provenance.adapters",
      planned,
      provenance.adapters.map(({ adapter }) => adapter),
    ),
    ...provenance.adapters.flatMap(({ adapter, artifacts, runtimeVersion }) => [
      ...(artifacts.length > 0
        ? []
        : [problem(`provenance.adapters.${adapter}.artifacts`, "at least one", "none")]),
      ...checkDistinct(
        `provenance.adapters.${adapter}.artifacts`,
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
    ...checkTexts("provenance", provenance),
    ...(provenance.command.length > 0 ? [] : [problem("provenance.command", "the command line", "nothing")]),
    ...(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(provenance.gitRevision ?? "0".repeat(40))
      ? []
      : [problem("provenance.gitRevision", "a commit's hash", `${provenance.gitRevision}`)]),
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
    ...checkLinks(provenance.links),
  ];
}

/** Each link, each of its packages and each file of one is named once. */
function checkLinks(links: readonly Link[]): Problem[] {
  return [
    ...checkDistinct(
      "provenance.links",
      links.map(({ name }) => name),
    ),
    ...links.flatMap(({ name, packages }) => [
      ...checkDistinct(
        `provenance.links.${name}.packages`,
        packages.map((one) => one.name),
      ),
      ...packages.flatMap((one) =>
        checkDistinct(
          `provenance.links.${name}.packages.${one.name}.files`,
          one.files.map((file) => file.path),
        ),
      ),
    ]),
  ];
}

function checkDistinct(rule: string, names: readonly string[]): Problem[] {
  return differences(rule, [...new Set(names)], names);
}

/** What is null says why: by its path, where lists of adapters and links go by name. */
function checkNulls({ nullReasons, adapters, links, gitRevision, machine }: RunProvenance): Problem[] {
  const nullable: [string, unknown][] = [
    ["gitRevision", gitRevision],
    ...Object.entries(machine).map(([field, value]): [string, unknown] => [`machine.${field}`, value]),
    ...adapters.map(({ adapter, runtimeVersion }): [string, unknown] => [
      `adapters.${adapter}.runtimeVersion`,
      runtimeVersion,
    ]),
    ...links.map(({ name, revision }): [string, unknown] => [`links.${name}.revision`, revision]),
  ];
  const missing = nullable.filter(([, value]) => value === null).map(([path]) => path);
  return [
    ...missing
      .filter((path) => nullReasons[path] === undefined)
      .map((path) => problem(`provenance.nullReasons.${path}`, "the reason why it is null", "none")),
    ...Object.keys(nullReasons)
      .filter((path) => !missing.includes(path))
      .map((path) => problem(`provenance.nullReasons.${path}`, "none: it isn't null", "a reason")),
  ];
}

/** What isn't known is null with its reason, never an empty text. */
function checkTexts(path: string, value: unknown): Problem[] {
  if (typeof value === "string") {
    return value.trim() === "" ? [problem(path, "a text, or null with its reason", "an empty one")] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => checkTexts(`${path}.${key}`, item));
}

/** The machine has the CPUs that it allows, and as many as its topology gives. */
export function checkTopology(machine: Machine): Problem[] {
  const { allowedCpus, logicalCpus, coresPerSocket, threadsPerCore, sockets } = machine;
  const counted = (coresPerSocket ?? 0) * (threadsPerCore ?? 0) * (sockets ?? 0);
  return [
    ...(allowedCpus.length <= logicalCpus
      ? []
      : [problem("provenance.machine.logicalCpus", `at least ${allowedCpus.length}`, `${logicalCpus}`)]),
    ...differences(
      "provenance.machine.allowedCpus",
      [...new Set(allowedCpus)].sort((a, b) => a - b),
      allowedCpus,
    ),
    ...(counted === 0 ? [] : differences("provenance.machine.logicalCpus", counted, logicalCpus)),
  ];
}

/** Nothing held more memory than there is. @param heldBytes the largest reading */
export function checkMemory({ memoryBytes }: Machine, heldBytes: number): Problem[] {
  if (heldBytes <= memoryBytes) return [];
  return [problem("provenance.machine.memoryBytes", `at least ${heldBytes} bytes`, `${memoryBytes} bytes`)];
}
