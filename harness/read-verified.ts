/** Reports that a person names: read, and held against their own readings before anything is made of them. */
import { readFile } from "node:fs/promises";
import { type AnyReport, verifyReport } from "../report/any-report.ts";
import { BenchError } from "./errors.ts";
import { isAbsent } from "./present.ts";

/** More lines than these help nobody. */
const MOST_PROBLEMS = 10;

/** @throws BenchError `usage` where there is no such file */
export async function readNamed(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
    throw new BenchError({
      stage: "report",
      code: "usage",
      message: `there is no file ${file}`,
      hint: "Name a report that is there; --help has examples.",
    });
  });
}

/** The report in a file's text. @throws BenchError `bad-report` where it doesn't hold, with what is wrong */
export function verifiedReport(file: string, text: string): AnyReport {
  const { report, problems } = verifyReport(text);
  if (report !== null && problems.length === 0) return report;
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ rule, expected, seen }) => `  ${rule}: expected ${expected}; seen ${seen}`);
  throw new BenchError({
    stage: "report",
    code: "bad-report",
    message: `${file} doesn't hold:\n${lines.join("\n")}`,
    hint: `All of it: npm run results:verify -- ${file}`,
  });
}
