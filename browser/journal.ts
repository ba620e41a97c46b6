/** What the lines of a browser run's journal are: right visits and others, so that none is made again in silence. */
import { z } from "zod";
import type { JournalContents, JournalShape } from "../harness/journal.ts";
import { type Facts, runFacts } from "../harness/resume.ts";
import {
  type BrowserStack,
  browserPlanSchema,
  browserStackSchema,
  browserVisitSchema,
  readyCheckSchema,
} from "../report/browser/schema.ts";
import { runProvenanceSchema, SCHEMA_VERSION } from "../report/schema.ts";

const headSchema = z.strictObject({
  kind: z.literal("ssr-browser-journal"),
  schemaVersion: z.literal(SCHEMA_VERSION),
  contractVersion: z.int().positive(),
  plan: browserPlanSchema,
  provenance: runProvenanceSchema,
  browser: browserStackSchema,
});

const entrySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready-check"), check: readyCheckSchema }),
  z.strictObject({ kind: z.literal("visit"), visit: browserVisitSchema }),
]);

export type BrowserJournalHead = z.infer<typeof headSchema>;
export type BrowserJournalEntry = z.infer<typeof entrySchema>;
export type BrowserJournal = JournalContents<BrowserJournalHead, BrowserJournalEntry>;

export const BROWSER_JOURNAL: JournalShape<BrowserJournalHead, BrowserJournalEntry> = {
  head: headSchema,
  visit: entrySchema,
};

/** What a run must have in common with its journal to go on from it: the browser and its display too. */
export function browserRunFacts(
  head: Pick<BrowserJournalHead, "contractVersion" | "plan" | "provenance"> & {
    readonly browser: BrowserStack;
  },
): Facts {
  const { version, switches, display } = head.browser;
  return new Map([
    ...runFacts(head),
    ["browser version", version],
    ["browser switches", switches],
    ["display", display],
  ]);
}
