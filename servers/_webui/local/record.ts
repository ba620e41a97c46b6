/** The record of a link, `link.json`: written here, read by the suite (harness/links.ts) and by the family's builds. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { LocalError } from "./errors.ts";
import { fileSchema } from "./files.ts";
import type { LinkFolder } from "./paths.ts";

const packageSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  files: z.array(fileSchema).min(1),
});

export const recordSchema = z.strictObject({
  name: z.string(),
  revision: z.string().nullable(),
  dirty: z.union([z.boolean(), z.literal("unknown")]),
  /** Why the revision is null. */
  reason: z.string().nullable(),
  /** Absolute path. */
  checkout: z.string(),
  linkedAt: z.iso.datetime(),
  inputs: z.array(z.string()),
  /** Relative to the project's root. */
  cargoLock: z.string(),
  relink: z.string(),
  packages: z.array(packageSchema),
});

/** One package of the checkout, with the files that are used of it. */
export type LinkedPackage = z.infer<typeof packageSchema>;
export type LocalRecord = z.infer<typeof recordSchema>;

/** Null where nothing is linked. @throws LocalError where the record can't be understood */
export function readRecord(link: LinkFolder): LocalRecord | null {
  if (!existsSync(link.record)) return null;
  try {
    return recordSchema.parse(JSON.parse(readFileSync(link.record, "utf8")));
  } catch (error) {
    throw new LocalError(
      `${link.record} isn't what webui:local leaves: ${(error as Error).message}`,
      "Undo the link, then link again: npm run webui:local -- --reset",
    );
  }
}
