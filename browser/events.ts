/** What a browser run tells while it goes on: one stream of events, shown by `progress.ts` or printed as they are (`--json`). */
import type { PlannedBrowserVisit } from "../report/browser/order.ts";
import type {
  BrowserPlan,
  BrowserReport,
  BrowserStack,
  BrowserStage,
  BrowserVisit,
  ReadyCheck,
} from "../report/browser/schema.ts";

export type BrowserRunEvent =
  | {
      readonly type: "run";
      readonly plan: BrowserPlan;
      readonly browser: BrowserStack;
      readonly file: string;
      /** In all; ready checks aren't among them. */
      readonly visits: number;
      readonly done: number;
    }
  | { readonly type: "ready-check"; readonly adapter: string; readonly leftMs: number }
  | { readonly type: "ready-checked"; readonly check: ReadyCheck; readonly leftMs: number }
  | {
      readonly type: "visit";
      readonly visit: PlannedBrowserVisit;
      readonly nth: number;
      readonly leftMs: number;
    }
  | {
      readonly type: "stage";
      readonly adapter: string;
      /** Null in a ready check. */
      readonly round: number | null;
      readonly stage: BrowserStage;
      readonly leftMs: number;
    }
  | { readonly type: "visited"; readonly visit: BrowserVisit; readonly leftMs: number }
  | {
      readonly type: "report";
      readonly report: BrowserReport;
      readonly file: string;
      readonly keptAside: string | null;
    };

/** Takes events as they happen. Must not block: it runs between the stages of a visit. */
export type OnBrowserRunEvent = (event: BrowserRunEvent) => void;
