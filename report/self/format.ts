/** The suite's figures about itself as a person reads them. Rounding belongs here and nowhere before. */
import Table from "cli-table3";
import { assertNever } from "../assert-never.ts";
import {
  causesOf,
  type FigureSpread,
  type SelfFigure,
  type SelfResult,
  type Target,
  type Unit,
  verdictOf,
} from "./findings.ts";

const DIGITS: Record<Unit, number> = { ratio: 3, share: 2, µs: 1, ms: 2, s: 2, "/s": 0, MiB: 1 };

/** A value with its unit. */
export function formatValue(value: number, unit: Unit): string {
  const number = (unit === "share" ? value * 100 : value).toFixed(DIGITS[unit]);
  if (unit === "ratio") return number;
  return `${number} ${unit === "share" ? "%" : unit}`;
}

function formatSpread(spread: FigureSpread | null, unit: Unit): string {
  if (spread === null) return "one reading";
  const what = spread.level === null ? "range" : `${(spread.level * 100).toFixed(1)} %`;
  return `${formatValue(spread.low, unit)} to ${formatValue(spread.high, unit)} (${what} of ${spread.count})`;
}

function formatTarget(target: Target | null, unit: Unit): string {
  switch (target?.kind) {
    case undefined:
      return "";
    case "at-most":
      return `at most ${formatValue(target.limit, unit)}`;
    case "within": {
      const around = `${formatValue(target.centre, unit)} ± ${formatValue(target.tolerance, unit)}`;
      const of = target.of === "interval" ? ", interval too" : "";
      const calm =
        target.belowSteal === null ? "" : `, if steal < ${formatValue(target.belowSteal, "share")}`;
      return `${around}${of}${calm}`;
    }
    default:
      return assertNever(target as never);
  }
}

const HEAD = ["figure", "value", "spread", "target", ""];

function rowOf(figure: SelfFigure, stealShare: number): string[] {
  return [
    figure.name,
    formatValue(figure.value, figure.unit),
    formatSpread(figure.spread, figure.unit),
    formatTarget(figure.target, figure.unit),
    verdictOf(figure, stealShare) ?? "",
  ];
}

/** How many targets of a result were met, missed and not decided: `3 met, 1 missed`. */
export function formatVerdicts(results: readonly SelfResult[]): string {
  const verdicts = results.flatMap(({ outcome, stealShare }) =>
    outcome.status === "measured"
      ? outcome.findings.figures.map((figure) => verdictOf(figure, stealShare))
      : [],
  );
  const counts = (["met", "missed", "undecided"] as const)
    .map((verdict) => ({ verdict, count: verdicts.filter((one) => one === verdict).length }))
    .filter(({ count }) => count > 0);
  return counts.map(({ verdict, count }) => `${count} ${verdict}`).join(", ") || "no targets";
}

export type SelfFormat = "terminal" | "markdown";

/** One benchmark's result under its name: what was measured, the table, the steal, and what a miss might come from. */
export function formatResult(result: SelfResult, format: SelfFormat): string {
  const heading = format === "markdown" ? `## ${result.benchmark}\n` : `${result.benchmark}`;
  return [heading, `${capital(result.about)}.`, ...outcomeLines(result, format)].join("\n");
}

function outcomeLines(result: SelfResult, format: SelfFormat): string[] {
  const { outcome } = result;
  switch (outcome.status) {
    case "skipped":
      return [`Skipped: ${outcome.reason}.`];
    case "failed":
      return [`Failed (${outcome.code}): ${outcome.message}`, outcome.hint];
    case "measured": {
      const { subject, figures } = outcome.findings;
      const rows = figures.map((figure) => rowOf(figure, result.stealShare));
      const table = format === "markdown" ? markdown(rows) : drawn(rows);
      const causes = causesOf(result);
      return [
        `${capital(subject)}.`,
        "",
        table,
        "",
        circumstances(result),
        ...(causes.length === 0 ? [] : [`What is missed may come from: ${causes.join("; ")}.`]),
      ];
    }
    default:
      return assertNever(outcome);
  }
}

function circumstances({ durationMs, stealShare, outcome }: SelfResult): string {
  const others = outcome.status === "measured" ? outcome.findings.othersShares : [];
  const most =
    others.length === 0
      ? ""
      : `, others' share of the server CPU ${formatValue(Math.max(...others), "share")} at most`;
  return `Took ${formatValue(durationMs / 1000, "s")}; steal ${formatValue(stealShare, "share")}${most}.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function drawn(rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: HEAD,
    colAligns: ["left", "right", "left", "left", "left"],
    // Without lines between the rows.
    chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
    style: { head: [], border: [] },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

function markdown(rows: readonly (readonly string[])[]): string {
  const rule = ["---", "---:", "---", "---", "---"];
  return [HEAD, rule, ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}
