/** Shows a run's events to a person (a live line in a terminal, plain lines elsewhere) or to a machine (`--json`). */
import { Listr } from "listr2";
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

/** `1 h 02 min`, `3 min 20 s`, `45 s`. */
export function formatLeft(leftMs: number): string {
  const seconds = Math.round(leftMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

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
  let outcome: { value: T } | null = null;
  const list = new Listr(
    [
      {
        title: "Measuring",
        task: async (_, task) => {
          let rounds = 1;
          let position = "";
          outcome = {
            value: await work((event) => {
              if (event.type === "run") rounds = event.plan.rounds;
              if (event.type === "visit") position = `${event.nth}`;
              if (event.type === "visited") task.output = describeVisit(event.visit, rounds);
              if (event.type === "stage") {
                task.title = `${position}. ${nameOf(event.visit, rounds)}: ${STAGE_WORDS[event.stage]}, about ${formatLeft(event.leftMs)} left`;
              }
              if (event.type === "report") task.title = "Measured";
            }),
          };
        },
        rendererOptions: { persistentOutput: true, outputBar: Number.POSITIVE_INFINITY },
      },
    ],
    // The command itself turns signals into an orderly end.
    { registerSignalListeners: false },
  );
  await list.run();
  if (outcome === null) throw new TypeError("the list has run its one task");
  return (outcome as { value: T }).value;
}
