/** The figures that a page shows: what each is called, how it is written, and which way is better. */

export interface FigureRule {
  /** Its path in a row. */
  readonly path: string;
  readonly label: string;
  /** A table's heading. */
  readonly heading: string;
  readonly unit: string;
  readonly digits: number;
  /** What the row's own unit is divided by. */
  readonly divisor: number;
  readonly better: "more" | "less";
}

const KIB = 1024;
const MIB = 1024 * KIB;

function rule(
  path: string,
  label: string,
  heading: string,
  unit: string,
  digits: number,
  more: { readonly divisor?: number; readonly better?: "more" } = {},
): FigureRule {
  return { path, label, heading, unit, digits, divisor: more.divisor ?? 1, better: more.better ?? "less" };
}

/** Of load rows, in the order of the table. */
export const LOAD_RULES: readonly FigureRule[] = [
  rule("completedRps", "Throughput: whole, valid responses a second", "RPS", "/s", 0, { better: "more" }),
  rule("latencyMs.p50", "Latency, P50", "P50", "ms", 1),
  rule("latencyMs.p95", "Latency, P95", "P95", "ms", 1),
  rule("latencyMs.p99", "Latency, P99", "P99", "ms", 1),
  rule("firstByteMs.p50", "First byte under load, P50", "First byte P50", "ms", 1),
  rule("peakRssMiB", "Memory: peak RSS under load", "Peak RSS", "MiB", 0),
  rule("cpuUsPerResponse", "Server CPU time for a response", "CPU", "µs", 0),
];

/** Of browser rows, in the order of the table. */
export const BROWSER_RULES: readonly FigureRule[] = [
  rule("ttfbMs", "First byte in the browser", "TTFB", "ms", 1),
  rule("fcpMs", "First contentful paint", "FCP", "ms", 0),
  rule("lcpMs", "Largest contentful paint", "LCP", "ms", 0),
  rule("readyMs", "Ready: the page answers everywhere", "Ready", "ms", 0),
  rule("interactionMs", "Interaction: steps 2 to 16 and 24 to 29", "Interaction", "ms", 0),
  rule("navigationMs", "Navigation: steps 17 to 23", "Navigation", "ms", 0),
  rule("inpMs", "Interaction to next paint", "INP", "ms", 0),
  rule("cls", "Cumulative layout shift", "CLS", "", 3),
  rule("jsTransferBytes", "Transfer: scripts on the wire", "Scripts", "KiB", 1, { divisor: KIB }),
  rule("jsHeapReadyBytes", "JavaScript heap when ready", "Heap", "MiB", 1, { divisor: MIB }),
  rule("rendererRssReadyBytes", "Renderer's RSS when ready", "Renderer RSS", "MiB", 0, { divisor: MIB }),
];

/** Those that are drawn, in the order in which a person wants to see them. */
export const LOAD_CHARTS = [
  "completedRps",
  "latencyMs.p50",
  "latencyMs.p95",
  "peakRssMiB",
  "firstByteMs.p50",
];
export const BROWSER_CHARTS = ["readyMs", "interactionMs", "navigationMs", "jsTransferBytes"];

/** A figure over the rounds, in the row's own unit. */
export interface Figure {
  /** Null where there is none; the row's `nullReasons` say why. */
  readonly median: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Of the interval; null where low and high are only the range, or aren't there. */
  readonly level: number | null;
}

/** The median as it is shown, without its unit. */
export function formatFigure({ median }: Figure, rule: FigureRule): string {
  return median === null ? "–" : formatValue(median, rule);
}

export function formatValue(value: number, { divisor, digits }: FigureRule): string {
  return (value / divisor).toFixed(digits);
}

/** `[90, 110]` where there is an interval; null otherwise. */
export function formatInterval({ low, high, level }: Figure, rule: FigureRule): string | null {
  if (low === null || high === null || level === null) return null;
  return `[${formatValue(low, rule)}, ${formatValue(high, rule)}]`;
}
