/**
 * Whether a browser report can be believed: everything that follows from its raw readings is recomputed and compared,
 * the readings of each visit are held against each other, and plan, visits, browser and provenance against one another.
 * What this can't show stands in docs/what-verification-cannot-show.md.
 */
import { atLeast, holds } from "../checks/check.ts";
import {
  checkMemory,
  checkProvenance,
  checkSequence,
  checkTimes,
  checkTopology,
  problem,
} from "../checks/run.ts";
import { differences } from "../differences.ts";
import type { Problem, RunProvenance } from "../schema.ts";
import { derivedFrom } from "./build.ts";
import { checkBrowserVisit } from "./consistency.ts";
import { LEAST_OFFICIAL_ROUNDS, OFFICIAL, PRESCRIBED } from "./official.ts";
import { browserOrderOf } from "./order.ts";
import type { BrowserPlan, BrowserReport, RightVisit } from "./schema.ts";

/** Everything that is wrong with a report that its schema has passed; empty where nothing is. Pure; throws nothing. */
export function verifyBrowserReport(report: BrowserReport): Problem[] {
  const { plan, provenance, visits } = report;
  return [
    ...checkPlan(plan),
    ...checkBrowser(report),
    ...checkOrder(plan, visits),
    ...visits.flatMap((visit, index) => checkVisit(visit, index, report)),
    ...checkTimes(
      visits.map(({ timing }) => timing),
      provenance,
    ),
    ...checkProvenance(provenance, plan.adapters, new Set(visits.map(({ adapter }) => adapter))),
    ...checkTopology(provenance.machine),
    ...checkAllowedCpus(provenance),
    ...checkMemory(provenance.machine, Math.max(0, ...visits.map(mostMemory))),
    ...checkDerived(report),
  ];
}

/** A plan as every run has it, of its runtime mode, without a product twice. */
function checkPlan(plan: BrowserPlan): Problem[] {
  const prescribed = plan.runtimeMode === "official" ? { ...PRESCRIBED, ...OFFICIAL } : PRESCRIBED;
  return [
    ...differences("plan.adapters", [...new Set(plan.adapters)].sort(), plan.adapters),
    ...Object.entries(prescribed).flatMap(([field, value]) =>
      differences(`plan.${field}`, value, plan[field as keyof BrowserPlan]),
    ),
    ...(plan.runtimeMode === "official"
      ? atLeast("plan.rounds", plan.rounds, LEAST_OFFICIAL_ROUNDS, "rounds in an official run")
      : []),
  ];
}

/** A headed browser had a display and no switch against it, a headless one the other way round. */
function checkBrowser({ plan, browser: { display, switches } }: BrowserReport): Problem[] {
  const headless = switches.filter((one) => /^--headless(?:=|$)/.test(one));
  const expected = plan.headed ? "a display" : "headless";
  return [
    ...holds("browser.display.kind", plan.headed === (display.kind !== "headless"), expected, display.kind),
    ...holds(
      "browser.switches",
      plan.headed === (headless.length === 0),
      expected,
      headless.join(" ") || "no --headless",
    ),
  ];
}

/** The visits of the plan in the order that its seed gives, from the first; an interrupted run has fewer. */
function checkOrder(plan: BrowserPlan, visits: readonly RightVisit[]): Problem[] {
  const planned = browserOrderOf(plan).map(visitName);
  return checkSequence("visits", planned.slice(0, visits.length), visits.map(visitName));
}

function visitName({ adapter, round }: { readonly adapter: string; readonly round: number }): string {
  return `${adapter} round ${round}`;
}

/** A visit's readings agree, with each other and with what the provenance says of its adapter. */
function checkVisit(visit: RightVisit, index: number, { plan, provenance }: BrowserReport): Problem[] {
  const entry = provenance.adapters.find(({ adapter }) => adapter === visit.adapter);
  const where = `visits.${index} (${visitName(visit)})`;
  return [
    ...checkBrowserVisit(visit, plan).map((one) => ({ ...one, rule: `${where}: ${one.rule}` })),
    ...(entry === undefined
      ? [problem(`visits.${index}.adapter`, "an adapter of the provenance", visit.adapter)]
      : (["runtime", "runtimeVersion", "frameworkVersion"] as const).flatMap((field) =>
          differences(`${where}.${field}`, entry[field], visit[field]),
        )),
  ];
}

/** Listed upwards, each once, as the kernel gives them. */
function checkAllowedCpus({ machine }: RunProvenance): Problem[] {
  const { allowedCpus } = machine;
  return differences(
    "provenance.machine.allowedCpus",
    [...new Set(allowedCpus)].sort((a, b) => a - b),
    allowedCpus,
  );
}

function mostMemory({ metrics }: RightVisit): number {
  return Math.max(
    metrics.rendererRssReadyBytes ?? 0,
    metrics.rendererRssEndBytes ?? 0,
    metrics.rendererPssReadyBytes ?? 0,
    metrics.rendererPssEndBytes ?? 0,
  );
}

/** Rows, warnings and statuses say what the visits say. */
function checkDerived(report: BrowserReport): Problem[] {
  const derived = derivedFrom(report.plan, report.visits);
  return (Object.keys(derived) as (keyof typeof derived)[]).flatMap((field) =>
    differences(field, derived[field], report[field]),
  );
}
