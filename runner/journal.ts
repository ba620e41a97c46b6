/** What the lines of a load run's journal are. */
import { z } from "zod";
import type { JournalContents, JournalShape } from "../harness/journal.ts";
import { planSchema, provenanceSchema, SCHEMA_VERSION, type Visit, visitSchema } from "../report/schema.ts";

/** What a run must have in common with its journal to go on from it. */
const headSchema = z.strictObject({
  kind: z.literal("ssr-load-journal"),
  schemaVersion: z.literal(SCHEMA_VERSION),
  contractVersion: z.int().positive(),
  plan: planSchema,
  provenance: provenanceSchema,
});

export type LoadJournalHead = z.infer<typeof headSchema>;
export type LoadJournal = JournalContents<LoadJournalHead, Visit>;

export const LOAD_JOURNAL: JournalShape<LoadJournalHead, Visit> = { head: headSchema, visit: visitSchema };
