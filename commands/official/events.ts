/** What an official run tells while it goes on, and how the events of the run inside it become its own. */
import { z } from "zod";
import { describeBrowserVisit, describeReadyCheck } from "../../browser/wrong-visits.ts";
import type { AnyReport } from "../../report/any-report.ts";
import { browserVisitSchema, readyCheckSchema } from "../../report/browser/schema.ts";
import { visitSchema } from "../../report/schema.ts";
import { describeVisit } from "../../runner/progress.ts";
import type { MeasuringStep, Step } from "./steps.ts";

export type StepOutcome = "done" | "was-done" | "failed";

export type OfficialEvent =
  | { readonly type: "step"; readonly step: Step; readonly leftMs: number }
  /** Inside a step: what became of a visit, or what the step says. */
  | { readonly type: "note"; readonly step: Step; readonly text: string; readonly leftMs: number }
  | { readonly type: "time"; readonly step: Step; readonly leftMs: number }
  | {
      readonly type: "ended";
      readonly step: Step;
      readonly outcome: StepOutcome;
      readonly durationMs: number;
      /** What it said on stderr, where it failed. */
      readonly said: string;
    };

export type OnOfficialEvent = (event: OfficialEvent) => void;

/** What a line of a run's `--json` says to whoever waits for the whole. */
export interface Heard {
  /** What became of a visit; null where the line tells of none. */
  readonly text: string | null;
  /** The run's own time left; null where the line has none. */
  readonly leftMs: number | null;
}

const eventSchema = z.looseObject({ type: z.string(), leftMs: z.number().nonnegative().optional() });

const VISITED: Readonly<Record<AnyReport["kind"], (visit: unknown, rounds: number) => string>> = {
  "ssr-load": (visit, rounds) => describeVisit(visitSchema.parse(visit), rounds),
  "ssr-browser": (visit) => describeBrowserVisit(browserVisitSchema.parse(visit)).join("\n"),
};

/** Reads a line of the events that a measuring step prints. @throws where it isn't one */
export function hear(line: string, { reportKind, rounds }: MeasuringStep): Heard {
  const event = eventSchema.parse(JSON.parse(line));
  return { text: textOf(event, reportKind, rounds), leftMs: event.leftMs ?? null };
}

function textOf(event: z.infer<typeof eventSchema>, kind: AnyReport["kind"], rounds: number): string | null {
  if (event.type === "visited") return VISITED[kind](event.visit, rounds);
  if (event.type === "ready-checked")
    return describeReadyCheck(readyCheckSchema.parse(event.check)).join("\n");
  return null;
}
