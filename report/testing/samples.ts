/** The sample reports beside the published schemas: simulated, small, and right. */
import type { AnyReport } from "../any-report.ts";
import { makeBrowserPlan, makeBrowserReport } from "./right-browser-report.ts";
import { makePlan, makeReport } from "./right-report.ts";

/** Every sample by its file name below `schemas/samples/`. */
export function sampleReports(): ReadonlyMap<string, AnyReport> {
  const adapters = ["alpha", "beta"];
  const load = makePlan({ adapters, responseModes: ["progressive", "complete"] });
  const browser = makeBrowserPlan({ adapters, rounds: 2 });
  return new Map<string, AnyReport>([
    ["ssr-load.sample.json", makeReport(load)],
    ["ssr-browser.sample.json", makeBrowserReport(browser)],
  ]);
}
