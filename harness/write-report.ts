/** A report into its file: held to its schema, an earlier one of the same name kept aside, written in one step. */
import type { ReadReport } from "../report/reader.ts";
import { BenchError } from "./errors.ts";
import { keepAside, writeAtomically } from "./files.ts";

/**
 * @param check the reader of the report's kind
 * @returns where an earlier report of the same name is kept; null where there was none
 * @throws BenchError `internal` where its own schema refuses the report, which is then not written; `not-writable`
 */
export async function writeReport<Report>(
  file: string,
  report: Report,
  check: (json: unknown) => ReadReport<Report>,
  at: Date,
): Promise<string | null> {
  const checked = check(report);
  if (!checked.ok) {
    const lines = checked.problems.map(({ expected, seen }) => `${seen}: ${expected}`);
    throw new BenchError({
      stage: "report",
      code: "internal",
      message: `the report doesn't pass its own schema: ${lines.join("; ")}`,
      hint: "This is a fault of the suite; please report it. The journal beside the report keeps what was measured.",
    });
  }
  const keptAside = await keepAside(file, at);
  await writeAtomically(file, `${JSON.stringify(report, null, 1)}\n`);
  return keptAside;
}
