/** Shows how far the benchmarks of the suite are: a live line in a terminal, plain lines elsewhere, or JSON. */
import { type LiveLine, withLiveLine } from "../../harness/live-line.ts";
import { formatLeft } from "../../harness/time-left.ts";
import { assertNever } from "../../report/assert-never.ts";
import type { SelfResult } from "../../report/self/findings.ts";
import { formatResult, formatVerdicts } from "../../report/self/format.ts";
import type { OnSelfEvent, SelfEvent } from "./run.ts";

/** Newline-delimited JSON: the events as they are. */
export function jsonEvents(out: NodeJS.WritableStream): OnSelfEvent {
  return (event) => out.write(`${JSON.stringify(event)}\n`);
}

/** A line for each benchmark begun, its table when it has ended. */
export function plainLines(out: NodeJS.WritableStream): OnSelfEvent {
  return (event) => {
    const text = plainText(event);
    if (text !== null) out.write(`${text}\n`);
  };
}

function plainText(event: SelfEvent): string | null {
  switch (event.type) {
    case "plan":
      return event.benchmarks
        .map(({ name, expectedMs }) => `${name}: about ${formatLeft(expectedMs)}`)
        .join("\n");
    case "benchmark":
      return `\n${event.benchmark} … about ${formatLeft(event.leftMs)} left in all`;
    case "result":
      return formatResult(event.result, "terminal");
    case "step":
      return null;
    default:
      return assertNever(event);
  }
}

/** Runs `work` under a live line, with a line for each result below it. @returns what `work` returns */
export async function withTerminal<T>(work: (onEvent: OnSelfEvent) => Promise<T>): Promise<T> {
  return await withLiveLine("Measuring the suite", (line) => work((event) => show(line, event)));
}

function show(line: LiveLine, event: SelfEvent): void {
  switch (event.type) {
    case "plan":
      break;
    case "benchmark":
      line.title(`${event.benchmark}, about ${formatLeft(event.leftMs)} left in all`);
      break;
    case "step":
      line.title(`${event.benchmark}: ${event.step}, about ${formatLeft(event.leftMs)} left in all`);
      break;
    case "result":
      line.note(`${event.result.benchmark}: ${summary(event.result)}`);
      break;
    default:
      assertNever(event);
  }
}

function summary(result: SelfResult): string {
  switch (result.outcome.status) {
    case "measured":
      return formatVerdicts([result]);
    case "skipped":
      return `skipped, ${result.outcome.reason}`;
    case "failed":
      return `failed, ${result.outcome.message.split("\n")[0]}`;
    default:
      return assertNever(result.outcome);
  }
}
