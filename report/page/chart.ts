/** Bars with intervals, drawn as SVG here, so that a page needs no script to show them. */
import { BarChart, CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { Figure, FigureRule } from "./figures.ts";
import { formatFigure, formatInterval } from "./figures.ts";
import { type Html, trusted } from "./html.ts";

use([BarChart, CustomChart, GridComponent, SVGRenderer]);

const WIDTH = 860;
const BAR = 11;
const GAP = 2;
const ROW = { one: 24, two: 34 } as const;
const MARGIN = { left: 210, right: 130, top: 6, bottom: 6 };

export interface Bars {
  /** CSS colour, such as a custom property of the page: light and dark are its own affair. */
  readonly color: string;
  /** One for each category; null where it has none. */
  readonly figures: readonly (Figure | null)[];
  /** Whether the category's row is rankable; bars of others are drawn pale. */
  readonly rankable: readonly boolean[];
}

/** @param categories the names at the left, from the top; @param series one or two sets of bars. @returns an `svg` */
export function barChart(rule: FigureRule, categories: readonly string[], series: readonly Bars[]): Html {
  const rowHeight = series.length > 1 ? ROW.two : ROW.one;
  const height = MARGIN.top + MARGIN.bottom + rowHeight * categories.length;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height });
  try {
    chart.setOption({
      animation: false,
      grid: { ...MARGIN, containLabel: false },
      xAxis: { type: "value", min: 0, show: false },
      yAxis: {
        type: "category",
        inverse: true,
        data: [...categories],
        axisTick: { show: false },
        axisLine: { lineStyle: { color: "var(--line)" } },
        axisLabel: {
          color: "var(--ink)",
          fontSize: 13,
          fontFamily: "inherit",
          width: 190,
          overflow: "truncate",
        },
      },
      series: series.flatMap((bars, index) => [
        barSeries(rule, bars),
        whiskers(bars, rule, offsetOf(index, series.length)),
      ]),
    });
    return trusted(cleaned(chart.renderToSVGString(), height));
  } finally {
    chart.dispose();
  }
}

function barSeries(rule: FigureRule, { color, figures, rankable }: Bars): object {
  return {
    type: "bar",
    silent: true,
    barWidth: BAR,
    barGap: `${(GAP / BAR) * 100}%`,
    data: figures.map((figure, index) => ({
      value: (figure?.median ?? 0) / rule.divisor,
      itemStyle: { color, opacity: rankable[index] ? 1 : 0.4 },
      label: {
        show: figure !== null && figure.median !== null,
        position: "right",
        distance: 8,
        color: "var(--ink)",
        fontSize: 12,
        fontFamily: "inherit",
        formatter: figure === null ? "" : labelOf(figure, rule),
      },
    })),
  };
}

function labelOf(figure: Figure, rule: FigureRule): string {
  const interval = formatInterval(figure, rule);
  return `${formatFigure(figure, rule)}${interval === null ? ` ${rule.unit}` : ` ${interval}`}`;
}

/** From low to high, where there is an interval. */
function whiskers({ figures }: Bars, rule: FigureRule, offset: number): object {
  return {
    type: "custom",
    silent: true,
    data: figures.flatMap((figure, index) =>
      figure === null || figure.level === null || figure.low === null || figure.high === null
        ? []
        : [[figure.low / rule.divisor, figure.high / rule.divisor, index]],
    ),
    encode: { x: [0, 1], y: 2 },
    renderItem: (_: unknown, api: WhiskerApi) => {
      const [fromX = 0, y = 0] = api.coord([api.value(0), api.value(2)]);
      const [toX = 0] = api.coord([api.value(1), api.value(2)]);
      const at = y + offset;
      const line = (x1: number, y1: number, x2: number, y2: number) => ({
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: "var(--whisker)", lineWidth: 1.5 },
      });
      return {
        type: "group",
        children: [
          line(fromX, at, toX, at),
          line(fromX, at - 3, fromX, at + 3),
          line(toX, at - 3, toX, at + 3),
        ],
      };
    },
  };
}

/** What the chart library hands to `renderItem`. */
interface WhiskerApi {
  readonly value: (dimension: number) => number;
  readonly coord: (data: readonly number[]) => number[];
}

/** Of a series' bars from the middle of their row. */
function offsetOf(index: number, count: number): number {
  return count === 1 ? 0 : (index - (count - 1) / 2) * (BAR + GAP);
}

/** Without the size that is fixed, the library's own marks, and the styles for a pointer that never comes. */
function cleaned(svg: string, height: number): string {
  return svg
    .replace(/^<svg [^>]*>/, `<svg viewBox="0 0 ${WIDTH} ${height}" aria-hidden="true" focusable="false">`)
    .replaceAll(/<style[\s\S]*?<\/style>/g, "")
    .replaceAll(/ (?:class|ecmeta_\w+|pointer-events)="[^"]*"/g, "")
    .replaceAll(/font-family:[^;"]*;?/g, "");
}
