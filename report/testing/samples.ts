/** The sample reports beside the published schemas: simulated, small, and right. */
import type { AnyReport } from "../any-report.ts";
import type { Summary } from "../publication/schema.ts";
import { summarise } from "../publication/summarise.ts";
import { makeBrowserPlan, makeBrowserReport, makeOfficialBrowserPlan } from "./right-browser-report.ts";
import { makeOfficialPlan, makePlan, makeReport } from "./right-report.ts";

const SHA256 = "d".repeat(64);

/** Every sample by its file name below `schemas/samples/`. */
export function sampleReports(): ReadonlyMap<string, AnyReport | Summary> {
  const adapters = ["alpha", "beta"];
  const load = makePlan({ adapters, responseModes: ["progressive", "complete"] });
  const browser = makeBrowserPlan({ adapters, rounds: 2 });
  return new Map<string, AnyReport | Summary>([
    ["ssr-load.sample.json", makeReport(load)],
    ["ssr-browser.sample.json", makeBrowserReport(browser)],
    ["ssr-summary.sample.json", makeSummary(adapters)],
  ]);
}

function makeSummary(adapters: string[]): Summary {
  const load = makeReport(makeOfficialPlan({ adapters }));
  const browser = makeBrowserReport(makeOfficialBrowserPlan({ adapters }));
  return summarise({
    load: { file: "ssr-todo-official.json", sha256: SHA256, report: load },
    browser: { file: "ssr-todo-browser-outcomes-official.json", sha256: SHA256, report: browser },
  });
}
