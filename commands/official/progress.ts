/** Shows an official run: a live line in a terminal, plain lines elsewhere, or its events as JSON. */
import { withLiveLine } from "../../harness/live-line.ts";
import { formatLeft } from "../../harness/time-left.ts";
import { assertNever } from "../../report/assert-never.ts";
import type { OfficialEvent, OnOfficialEvent, StepOutcome } from "./events.ts";
import type { EndedStep } from "./run.ts";

const OUTCOMES: Readonly<Record<StepOutcome, string>> = {
  done: "done",
  "was-done": "was done before",
  failed: "FAILED",
};

/** Newline-delimited JSON on `out`: the events as they are. */
export function jsonEvents(out: NodeJS.WritableStream): OnOfficialEvent {
  return (event) => out.write(`${JSON.stringify(event)}\n`);
}

/** A line for each step begun and ended, and for each visit. */
export function plainLines(out: NodeJS.WritableStream): OnOfficialEvent {
  return (event) => {
    const line = textOf(event);
    if (line !== null) out.write(`${line}\n`);
  };
}

function textOf(event: OfficialEvent): string | null {
  switch (event.type) {
    case "step":
      return `${event.step.name} … about ${formatLeft(event.leftMs)} left in all`;
    case "note":
      return `  ${event.text}${event.step.kind === "measure" ? ` … about ${formatLeft(event.leftMs)} left in all` : ""}`;
    case "ended":
      return [`${event.step.name}: ${endOf(event)}`, ...(event.said === "" ? [] : [event.said])].join("\n");
    case "time":
      return null;
    default:
      return assertNever(event);
  }
}

/** Runs `work` under a live view of its events. @returns what `work` returns */
export async function withTerminal<T>(work: (onEvent: OnOfficialEvent) => Promise<T>): Promise<T> {
  return await withLiveLine("Official run", async (line) => {
    return await work((event) => {
      if (event.type === "ended") {
        const text = textOf(event);
        if (text !== null) line.note(text);
        return;
      }
      line.title(`${event.step.name}, about ${formatLeft(event.leftMs)} left in all`);
      if (event.type === "note") line.note(event.text);
    });
  });
}

/** What became of a step, in a few words. */
export function endOf({ outcome, durationMs }: Pick<EndedStep, "outcome" | "durationMs">): string {
  return outcome === "was-done" ? OUTCOMES[outcome] : `${OUTCOMES[outcome]} in ${formatLeft(durationMs)}`;
}
