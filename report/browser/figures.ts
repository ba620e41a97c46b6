/** The figures of one right visit, from its raw readings alone. Rows are medians of these over the rounds. */
import type { Figure, Figures } from "../figures.ts";
import { sum } from "../statistics.ts";
import { type BrowserReadings, type RightVisit, STEP_COUNT, type StepResult } from "./schema.ts";

/** The step in which nothing may happen: it has no time, and no sum counts it. */
export const UNTIMED_STEP = 5;

const isNavigation = (n: number): boolean => n >= 17 && n <= 23;
/** Step 1 opens the page, and navigation has a sum of its own. */
const isInteraction = (n: number): boolean => n >= 2 && !isNavigation(n) && n !== UNTIMED_STEP;

/** Path in the row of a step's time. @param n from 1 */
export function stepPath(n: number): string {
  return `stepMs.${n - 1}`;
}

/** A visit's figures by their path in the row, such as `lcpMs` or `stepMs.0`. Pure, nothing rounded. */
export function browserFiguresOf(visit: RightVisit): Figures {
  const readings = Object.keys(visit.metrics) as (keyof BrowserReadings)[];
  const numbers = Array.from({ length: STEP_COUNT }, (_, index) => index + 1);
  return new Map<string, Figure>([
    ...readings.map((name): [string, Figure] => [name, reading(visit, name)]),
    ["interactionMs", sumOf(visit, numbers.filter(isInteraction))],
    ["navigationMs", sumOf(visit, numbers.filter(isNavigation))],
    ...numbers.map((n): [string, Figure] => [stepPath(n), stepTime(visit.steps, n)]),
  ]);
}

function reading({ metrics, nullReasons }: RightVisit, name: keyof BrowserReadings): Figure {
  return metrics[name] ?? { missing: nullReasons[name] ?? "no reason was given" };
}

function stepTime(steps: readonly StepResult[], n: number): Figure {
  if (n === UNTIMED_STEP) return { missing: "nothing may happen in this step, so that no time is taken" };
  return steps.find((step) => step.n === n)?.ms ?? { missing: `step ${n} has no time` };
}

/** The sum over these steps; missing where one of them is. */
function sumOf({ steps }: RightVisit, numbers: readonly number[]): Figure {
  const times = numbers.map((n) => stepTime(steps, n));
  const missing = times.find((time) => typeof time !== "number");
  return missing ?? sum(times.filter((time) => typeof time === "number"));
}
