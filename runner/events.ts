/** What a run tells while it goes on: one stream of events, shown by `progress.ts` or printed as they are (`--json`). */
import type { PlannedVisit } from "../report/order.ts";
import type { LoadReport, RunPlan, StageName, Visit } from "../report/schema.ts";

export type RunEvent =
  | {
      readonly type: "run";
      readonly plan: RunPlan;
      readonly file: string;
      readonly visits: number;
      readonly done: number;
    }
  | { readonly type: "visit"; readonly visit: PlannedVisit; readonly nth: number; readonly leftMs: number }
  | {
      readonly type: "stage";
      readonly visit: PlannedVisit;
      readonly stage: StageName;
      readonly leftMs: number;
    }
  | { readonly type: "visited"; readonly visit: Visit; readonly leftMs: number }
  | {
      readonly type: "report";
      readonly report: LoadReport;
      readonly file: string;
      readonly keptAside: string | null;
    };

/** Takes events as they happen. Must not block: it runs between the stages of a visit. */
export type OnRunEvent = (event: RunEvent) => void;
