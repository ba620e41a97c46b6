/** The files of a publication, as they lie in a folder. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { verifyReport } from "../report/any-report.ts";
import { type FoundInput, INPUT_NAMES, SUMMARY_NAMES } from "../report/publication/inputs.ts";
import type { FoundSummary } from "../report/publication/verify.ts";
import { BenchError } from "./errors.ts";
import { nullIfAbsent, readIfPresent } from "./present.ts";

/**
 * The reports in `folder` that go into summaries, each read and verified; those that aren't there are left out.
 * @throws BenchError `usage` where there is no such folder
 */
export async function readInputs(folder: string): Promise<FoundInput[]> {
  if (!(await stat(folder).catch(nullIfAbsent))?.isDirectory()) {
    throw new BenchError({
      stage: "report",
      code: "usage",
      message: `there is no folder ${folder}`,
      hint: "Name the folder that the reports are in.",
    });
  }
  const found: FoundInput[] = [];
  for (const name of INPUT_NAMES) {
    const bytes = await readFile(path.join(folder, name)).catch(nullIfAbsent);
    if (bytes === null) continue;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    found.push({ name, sha256, verified: verifyReport(bytes.toString("utf8")) });
  }
  return found;
}

/** The summaries in `folder`. */
export async function readSummaries(folder: string): Promise<FoundSummary[]> {
  const found: FoundSummary[] = [];
  for (const name of SUMMARY_NAMES) {
    const text = await readIfPresent(path.join(folder, name));
    if (text !== null) found.push({ name, text });
  }
  return found;
}
