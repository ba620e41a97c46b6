/** The sample reports beside the published schemas: simulated, small, and right. */
import type { LoadReport } from "../schema.ts";
import { makePlan, makeReport } from "./right-report.ts";

/** Every sample by its file name below `schemas/samples/`. */
export function sampleReports(): ReadonlyMap<string, LoadReport> {
  const plan = makePlan({ adapters: ["alpha", "beta"], responseModes: ["progressive", "complete"] });
  return new Map([["ssr-load.sample.json", makeReport(plan)]]);
}
