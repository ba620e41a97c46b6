/** The one place of the browser run where an error becomes data. */
import { BenchError } from "../harness/errors.ts";
import type { BrowserFailure, BrowserStage } from "../report/browser/schema.ts";

/** @param stage where it happened */
export function toFailure(error: unknown, stage: BrowserStage): BrowserFailure {
  if (error instanceof BenchError) {
    return { stage, code: error.code, message: error.message, hint: error.hint };
  }
  return {
    stage,
    code: "internal",
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    hint: "Look at what was kept of the visit; where that doesn't tell, it is a fault of the suite: please report it.",
  };
}
