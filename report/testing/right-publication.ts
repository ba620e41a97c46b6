/** The reports of a publication that is right, for tests: simulated, of one source and one machine. */
import { verifyReport } from "../any-report.ts";
import type { BrowserReport } from "../browser/schema.ts";
import type { Publisher } from "../publication/blockers.ts";
import type { FoundInput, InputName } from "../publication/inputs.ts";
import type { LoadReport } from "../schema.ts";
import { makeBrowserReport, makeOfficialBrowserPlan } from "./right-browser-report.ts";
import { makeOfficialPlan, makeReport } from "./right-report.ts";

export interface RightPublication {
  readonly "ssr-todo-official.json": LoadReport;
  readonly "ssr-todo-official-complete.json": LoadReport;
  readonly "ssr-todo-browser-outcomes-official.json": BrowserReport;
}

/** All three reports. @param rounds of the load runs */
export function makePublication(adapters: readonly string[], rounds = 1): RightPublication {
  const ids = [...adapters];
  return {
    "ssr-todo-official.json": makeReport(makeOfficialPlan({ adapters: ids, rounds })),
    "ssr-todo-official-complete.json": makeReport(
      makeOfficialPlan({ adapters: ids, rounds, responseModes: ["complete"], seed: 8 }),
    ),
    "ssr-todo-browser-outcomes-official.json": makeBrowserReport(makeOfficialBrowserPlan({ adapters: ids })),
  };
}

/** A checkout that may publish it. */
export function makePublisher({ "ssr-todo-official.json": load }: RightPublication): Publisher {
  return {
    sourceDigest: load.provenance.sourceDigest,
    contractVersion: load.contractVersion,
    adapters: load.plan.adapters,
  };
}

/** The reports as they are found in their files. @param sha256Of the digest of a file's text */
export function foundOf(
  publication: Partial<Readonly<Record<InputName, unknown>>>,
  sha256Of: (text: string) => string = () => "d".repeat(64),
): FoundInput[] {
  return (Object.entries(publication) as [InputName, unknown][]).map(([name, report]) => {
    const text = JSON.stringify(report);
    return { name, sha256: sha256Of(text), verified: verifyReport(text) };
  });
}
