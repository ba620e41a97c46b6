/** Shows a browser run's events to a person (a live line in a terminal, plain lines elsewhere) or to a machine (`--json`). */
import { withLiveLine } from "../harness/live-line.ts";
import { formatLeft } from "../harness/time-left.ts";
import { assertNever } from "../report/assert-never.ts";
import type { BrowserStage } from "../report/browser/schema.ts";
import type { BrowserRunEvent, OnBrowserRunEvent } from "./events.ts";
import { describeStack } from "./summary.ts";
import { describeBrowserVisit, describeReadyCheck } from "./wrong-visits.ts";

const STAGE_WORDS: Record<BrowserStage, string> = {
  start: "starting the server",
  launch: "launching the browser",
  preflight: "looking at the display",
  open: "opening the page",
  steps: "going through the steps",
  metrics: "reading the metrics",
  close: "closing the browser",
  stop: "stopping the server",
};

/** Newline-delimited JSON on `out`: the events as they are. */
export function jsonEvents(out: NodeJS.WritableStream): OnBrowserRunEvent {
  return (event) => out.write(`${JSON.stringify(event)}\n`);
}

/** One plain line for each visit begun, and what became of it. */
export function plainLines(out: NodeJS.WritableStream): OnBrowserRunEvent {
  let visits = 0;
  return (event) => {
    if (event.type === "run") visits = event.visits;
    for (const line of plainTexts(event, visits)) out.write(`${line}\n`);
  };
}

function plainTexts(event: BrowserRunEvent, visits: number): string[] {
  switch (event.type) {
    case "run": {
      const begun =
        event.done === 0
          ? `visits to make: ${visits}`
          : `going on: ${event.done} of ${visits} visits are there`;
      return [describeStack(event.browser), `${begun}, report: ${event.file}`];
    }
    case "ready-check":
      return [`[ready] ${event.adapter} … about ${formatLeft(event.leftMs)} left`];
    case "visit":
      return [
        `[${event.nth}/${visits}] ${event.visit.adapter} round ${event.visit.round} … about ${formatLeft(event.leftMs)} left`,
      ];
    case "ready-checked":
      return describeReadyCheck(event.check).map((line) => `  ${line}`);
    case "visited":
      return describeBrowserVisit(event.visit).map((line) => `  ${line}`);
    case "stage":
    case "report":
      return [];
    default:
      return assertNever(event);
  }
}

/**
 * Runs `work` under a live view of its events: what is done at this moment, the time left, and what became of visits.
 * @returns what `work` returns
 */
export async function withTerminal<T>(work: (onEvent: OnBrowserRunEvent) => Promise<T>): Promise<T> {
  return await withLiveLine("Visiting", async (line) => {
    let position = "";
    return await work((event) => {
      switch (event.type) {
        case "run":
          line.note(describeStack(event.browser));
          break;
        case "ready-check":
          position = "Ready check";
          break;
        case "visit":
          position = `${event.nth}`;
          break;
        case "stage": {
          const name = event.round === null ? event.adapter : `${event.adapter} round ${event.round}`;
          line.title(
            `${position}. ${name}: ${STAGE_WORDS[event.stage]}, about ${formatLeft(event.leftMs)} left`,
          );
          break;
        }
        case "ready-checked":
          line.note(describeReadyCheck(event.check).join("\n"));
          break;
        case "visited":
          line.note(describeBrowserVisit(event.visit).join("\n"));
          break;
        case "report":
          line.title("Visited");
          break;
        default:
          assertNever(event);
      }
    });
  });
}
