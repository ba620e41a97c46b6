/** What a person reads when a run has ended: the table, the warnings, where the time went, where the report is. */
import type { LoadReport } from "../report/schema.ts";
import { formatRows } from "../report/table.ts";
import { timeSpent } from "../report/time-spent.ts";

export interface SummaryOptions {
  readonly file: string;
  /** An earlier report of the same name, kept under this one. */
  readonly keptAside: string | null;
  /** Drawn with line characters for a terminal, in plain ASCII elsewhere. */
  readonly terminal: boolean;
}

/** Ends with a line break. */
export function summarise(report: LoadReport, { file, keptAside, terminal }: SummaryOptions): string {
  const lines = [
    "",
    formatRows(report.rows, { format: terminal ? "unicode" : "ascii" }),
    "",
    ...controlLines(report),
    ...warningLines(report),
    "",
    ...timeLines(report),
    ...(keptAside === null ? [] : [`The earlier report is kept: ${keptAside}`]),
    `Report: ${file}`,
    ...resumeLines(report, file),
  ];
  return `${lines.join("\n")}\n`;
}

function controlLines({ control }: LoadReport): string[] {
  if (control === null) return [];
  const cells = control.cells.map(
    ({ adapter, responseMode, pairs, rpsRatio, low, high, level, samplerCpuUsPerSample }) => {
      const interval = `${low.toFixed(3)} to ${high.toFixed(3)}, ${level === null ? "the range" : `${(level * 100).toFixed(1)} %`} of ${pairs} pairs`;
      const cpu = samplerCpuUsPerSample === null ? "unknown" : `${samplerCpuUsPerSample.toFixed(0)} µs`;
      return `  ${adapter}/${responseMode}: rate with ÷ without ${rpsRatio.toFixed(3)} (${interval}); ${cpu} of CPU a sample`;
    },
  );
  return ["The sampler's cost:", ...cells, ""];
}

function warningLines({ warnings }: LoadReport): string[] {
  if (warnings.length === 0) return ["No warnings."];
  return [
    `Warnings (${warnings.length}):`,
    ...warnings.map(({ code, cell, message }) => `  ${code}${cell === null ? "" : ` (${cell})`}: ${message}`),
  ];
}

function timeLines({ plan, visits }: LoadReport): string[] {
  const { prescribedMs, spentMs, excessMs } = timeSpent(plan, visits);
  if (prescribedMs === 0) return [];
  const stages = [...excessMs].map(([stage, ms]) => `${stage} ${seconds(ms)}`).join(", ");
  const ratio = (spentMs / prescribedMs).toFixed(2);
  return [
    `Time: ${seconds(spentMs)}, ${ratio} × the prescribed windows (${seconds(prescribedMs)}). Beyond them: ${stages}.`,
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function resumeLines({ visits }: LoadReport, file: string): string[] {
  const skipped = visits.filter(({ status }) => status === "skipped").length;
  if (skipped === 0) return [];
  return [`${skipped} visits weren't made. Go on with: node todo/runner/cli.mjs --resume ${file}`];
}
