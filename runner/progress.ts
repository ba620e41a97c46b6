/** Shows a run's events to a person (a live line in a terminal, plain lines elsewhere) or to a machine (`--json`). */
import { withLiveLine } from "../harness/live-line.ts";
import { formatLeft } from "../harness/time-left.ts";
import type { PlannedVisit } from "../report/order.ts";
import type { MeasuredVisit, StageName, Visit } from "../report/schema.ts";
import type { OnRunEvent, RunEvent } from "./events.ts";

const STAGE_WORDS: Record<StageName, string> = {
  start: "starting",
  verify: "checking the contract",
  probe: "probing for saturation",
  restart: "starting afresh",
  warm: "warming up",
  measure: "measuring",
  stop: "stopping",
};

function nameOf({ adapter, responseMode, round, telemetry }: PlannedVisit, rounds: number): string {
  const parts = [adapter, responseMode];
  if (rounds > 1) parts.push(`round ${round}`);
  if (!telemetry) parts.push("without sampler");
  return parts.join(" ");
}

/** One visit's outcome in a line; the report has its row. */
export function describeVisit(visit: Visit, rounds: number): string {
  const name = nameOf(visit, rounds);
  switch (visit.status) {
    case "measured":
      return `${name}: ${ratePerSecond(visit).toFixed(1)} responses/s`;
    case "failed":
      return `${name}: failed at ${visit.failure.stage} (${visit.failure.code}): ${visit.failure.message.split("\n")[0]}`;
    case "skipped":
      return `${name}: skipped, ${visit.reason}`;
  }
}

function ratePerSecond({ load }: MeasuredVisit): number {
  return (load.completed / load.windowMs) * 1000;
}

/** Newline-delimited JSON on `out`: the events as they are. */
export function jsonEvents(out: NodeJS.WritableStream): OnRunEvent {
  return (event) => out.write(`${JSON.stringify(event)}\n`);
}

/** One plain line for each visit begun and ended. */
export function plainLines(out: NodeJS.WritableStream): OnRunEvent {
  let rounds = 1;
  let visits = 0;
  return (event) => {
    const line = plainLine(event);
    if (line !== null) out.write(`${line}\n`);
  };

  function plainLine(event: RunEvent): string | null {
    switch (event.type) {
      case "run":
        rounds = event.plan.rounds;
        visits = event.visits;
        return event.done === 0
          ? `${visits} visits, report: ${event.file}`
          : `going on: ${event.done} of ${visits} visits are there, report: ${event.file}`;
      case "visit":
        return `[${event.nth}/${visits}] ${nameOf(event.visit, rounds)} … about ${formatLeft(event.leftMs)} left`;
      case "visited":
        return `  ${describeVisit(event.visit, rounds)}`;
      case "stage":
      case "report":
        return null;
    }
  }
}

/**
 * Runs `work` under a live view of its events: what is done at this moment, the time left, and the last rows.
 * @returns what `work` returns
 */
export async function withTerminal<T>(work: (onEvent: OnRunEvent) => Promise<T>): Promise<T> {
  return await withLiveLine("Measuring", async (line) => {
    let rounds = 1;
    let position = "";
    return await work((event) => {
      if (event.type === "run") rounds = event.plan.rounds;
      if (event.type === "visit") position = `${event.nth}`;
      if (event.type === "visited") line.note(describeVisit(event.visit, rounds));
      if (event.type === "stage") {
        line.title(
          `${position}. ${nameOf(event.visit, rounds)}: ${STAGE_WORDS[event.stage]}, about ${formatLeft(event.leftMs)} left`,
        );
      }
      if (event.type === "report") line.title("Measured");
    });
  });
}
