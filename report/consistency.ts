/**
 * Whether the raw readings of a measured visit can all be true at once. A visit that breaks a rule is `inconsistent`,
 * never a plausible number.
 */
import type { Check } from "./checks/check.ts";
import {
  checkInFlight,
  checkLittle,
  checkTimeInFlight,
  checkTimeouts,
  checkWaiting,
} from "./checks/concurrency.ts";
import { checkChunks, checkProbes, checkStages, checkWarm } from "./checks/course.ts";
import {
  checkBodies,
  checkGap,
  checkKeptBodies,
  checkLoadCpus,
  checkLoadSettings,
  checkSeconds,
  checkSent,
  checkWorkers,
} from "./checks/load.ts";
import { checkLoadCpu, checkMemory, checkSampleTimes, checkServerCpu, checkTicks } from "./checks/server.ts";
import { checkTimings } from "./checks/timings.ts";
import type { MeasuredVisit, Problem, RunPlan } from "./schema.ts";

const CHECKS: readonly Check[] = [
  checkStages,
  checkChunks,
  checkProbes,
  checkWarm,
  checkLoadSettings,
  checkLoadCpus,
  checkSent,
  checkInFlight,
  checkLittle,
  checkTimeInFlight,
  checkWaiting,
  checkTimeouts,
  checkWorkers,
  checkSeconds,
  checkGap,
  checkBodies,
  checkKeptBodies,
  checkTimings,
  checkSampleTimes,
  checkMemory,
  checkServerCpu,
  checkLoadCpu,
  checkTicks,
];

/** Every rule that the readings of a visit break; empty where they agree. Pure; throws nothing. */
export function checkConsistency(visit: MeasuredVisit, plan: RunPlan): Problem[] {
  return CHECKS.flatMap((check) => check(visit, plan));
}
