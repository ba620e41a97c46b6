/** Names that only official reports may have. */
import path from "node:path";
import { BenchError } from "./errors.ts";

const OFFICIAL_NAME = /^ssr-todo-(?:browser-outcomes-)?official/;

/**
 * Passes a report's file name unless it is that of an official report and the run is none.
 * @param file of the report, wherever it lies
 * @throws BenchError `usage`
 */
export function assertOwnName(
  file: string,
  { runtimeMode, filtered }: { readonly runtimeMode: "official" | "quick"; readonly filtered: boolean },
): void {
  if (!OFFICIAL_NAME.test(path.basename(file)) || (runtimeMode === "official" && !filtered)) return;
  throw new BenchError({
    stage: "plan",
    code: "usage",
    message: `${path.basename(file)} is the name of an official, unfiltered report; this run is ${filtered ? "filtered" : runtimeMode}`,
    hint: "Choose another name, or make an official run.",
  });
}
