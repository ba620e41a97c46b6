/** The document that the last whole run leaves: figures, machine and date, wholly generated. */
import type { Machine } from "../schema.ts";
import { causesOf, type SelfResult } from "./findings.ts";
import { formatResult, formatVerdicts } from "./format.ts";

/** Where and of what the figures were taken. */
export interface Origin {
  readonly command: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly machine: Machine;
  /** Null where git can't be read. */
  readonly revision: string | null;
  readonly dirty: boolean | "unknown";
  readonly sourceDigest: string;
  readonly runnerNode: string;
}

const BYTES_PER_GIB = 2 ** 30;
const MS_PER_MINUTE = 60_000;

/** Markdown, ending with a line break. */
export function formatDocument(results: readonly SelfResult[], origin: Origin): string {
  const parts = [
    "# The suite's own figures",
    `Written by \`${origin.command}\`; a change by hand is lost with its next run. Each figure is the median of its readings with their spread. Absolute figures don't carry over to another machine; ratios are of two arms that alternate within this run. What is measured how: [figures.md](figures.md).`,
    originTable(origin),
    `Targets: ${formatVerdicts(results)}.${misses(results)}`,
    ...results.map((result) => formatResult(result, "markdown")),
  ];
  return `${parts.join("\n\n")}\n`;
}

function originTable({ startedAt, endedAt, machine, runnerNode, ...source }: Origin): string {
  const minutes = ((endedAt.getTime() - startedAt.getTime()) / MS_PER_MINUTE).toFixed(1);
  const rows = [
    ["date", `${startedAt.toISOString()}, ${minutes} min`],
    [
      "machine",
      `${machine.cpuModel}, ${machine.logicalCpus} logical CPUs, ${(machine.memoryBytes / BYTES_PER_GIB).toFixed(0)} GiB, governor ${machine.governor ?? "not readable"}, boost ${machine.boost ?? "not readable"}`,
    ],
    ["system", `${machine.os}, ${machine.kernel}, Node ${runnerNode}`],
    ["revision", `${source.revision ?? "unknown"}${dirtyText(source.dirty)}`],
    ["source digest", source.sourceDigest],
  ];
  return ["| what | |", "| --- | --- |", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

function dirtyText(dirty: boolean | "unknown"): string {
  if (dirty === "unknown") return ", changes unknown";
  return dirty ? ", with uncommitted changes" : "";
}

function misses(results: readonly SelfResult[]): string {
  const names = results.filter((result) => causesOf(result).length > 0).map(({ benchmark }) => benchmark);
  return names.length === 0 ? "" : ` Not met in: ${names.join(", ")}; each says what that may come from.`;
}
