/** The page's model → one HTML file that needs nothing else: no script to be read, no request to be shown. */
import type { Warning } from "../schema.ts";
import { type Bars, barChart } from "./chart.ts";
import {
  BROWSER_CHARTS,
  BROWSER_RULES,
  type Figure,
  type FigureRule,
  formatFigure,
  formatInterval,
  LOAD_CHARTS,
  LOAD_RULES,
} from "./figures.ts";
import { type Html, html, safeAddress, trusted } from "./html.ts";
import type { Entry, Group, PageModel, Section, Source } from "./model.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { DEVIATION_WORDS, REASON_WORDS } from "./words.ts";

const MODES = ["progressive", "complete"] as const;
/** Fewer rounds give no interval, and so no word like faster. */
const LEAST_ROUNDS = 6;

/** The script that stands in the page, for whoever names it in a policy by its hash. */
export const PAGE_SCRIPT = SCRIPT;

/** @param scriptSha256 of {@link PAGE_SCRIPT}, in base64: the page's policy lets no other script run */
export function renderPage(model: PageModel, scriptSha256: string): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${scriptSha256}'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Server-side rendering of one todo page: results</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}</style>
</head>
<body>
<header>
<h1>What it costs a server to render one page</h1>
<p class="soft">A list of a hundred todos, rendered anew for every request: by each framework as it streams (<i>progressive</i>), and in one piece (<i>complete</i>). Every figure is computed from raw readings that stand in the reports linked at the foot.</p>
</header>
<main>
${model.groups.map((group, index) => groupHtml(group, index, model.groups.length))}
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

function groupHtml(group: Group, index: number, count: number): Html {
  const loads = MODES.flatMap((mode) => find(group, "load", mode));
  const browsers = MODES.flatMap((mode) => find(group, "browser", mode));
  const name = (part: string): string => (index === 0 ? part : `${part}-${index + 1}`);
  return html`
${count > 1 && html`<h2>Set ${index + 1} of ${count}: ${group.source.machine.cpuModel}, ${group.source.runtimeMode}, contract ${group.source.contractVersion}, source ${short(group.source.sourceDigest)}</h2><p class="soft">Figures of different sets don't compare.</p>`}
${banners(group)}
${leadHtml(loads, browsers)}
${index === 0 && filtersHtml(group)}
${loads.map((section) => tableHtml(section, name(`load-${section.responseMode}`), `Under load, ${section.responseMode}`))}
${loads.length > 0 && chartsHtml(loads, LOAD_CHARTS, LOAD_RULES, "Under load")}
${loads.length > 1 && streamingHtml(loads, name("streaming"))}
${browsers.map((section) => tableHtml(section, name(`browser-${section.responseMode}`), `In the browser, ${section.responseMode}`))}
${browsers.length > 0 && chartsHtml(browsers, BROWSER_CHARTS, BROWSER_RULES, "In the browser")}
${notesHtml(group)}
${provenanceHtml(group)}`;
}

function find({ sections }: Group, kind: Section["kind"], mode: string): Section[] {
  return sections.filter((section) => section.kind === kind && section.responseMode === mode);
}

/** What a reader has to know before the first figure. */
function banners({ sections }: Group): Html[] {
  const sources = uniqueSources(sections);
  const texts = [
    ...sources.flatMap(({ file, runtimeMode }) =>
      runtimeMode === "quick" ? [`${file} is of a quick run: good for work, not for publication.`] : [],
    ),
    ...sources.flatMap(({ file, filtered }) =>
      filtered ? [`${file} is filtered: adapters were left out.`] : [],
    ),
    ...sources.flatMap(({ file, dirty }) =>
      dirty === false
        ? []
        : [
            `${file} was measured with changes that nobody can look up: its source was ${dirty === true ? "dirty" : "unknown"}.`,
          ],
    ),
    ...sources.flatMap(({ file, dependencyMode, links }) =>
      dependencyMode === "registry"
        ? []
        : [
            `${file} measured ${links.map(({ name }) => name).join(", ")} from a checkout, not the released packages.`,
          ],
    ),
  ];
  return texts.map((text) => html`<p class="banner">${text}</p>`);
}

/** The most of what a person looks for first, in plain words. */
function leadHtml(loads: readonly Section[], browsers: readonly Section[]): Html {
  const facts = [
    ...loads.flatMap((section) => {
      const best = section.entries.find(({ rankable }) => rankable);
      const rule = LOAD_RULES[0];
      if (best === undefined || rule === undefined) return [];
      const rps = best.figures.completedRps;
      return [
        html`<li>Most responses, ${section.responseMode}<b>${rps === undefined ? "–" : formatFigure(rps, rule)}/s</b>${best.displayName}</li>`,
      ];
    }),
    ...least(loads[0], "peakRssMiB", LOAD_RULES, "Least memory"),
    ...least(browsers[0], "readyMs", BROWSER_RULES, "Ready first"),
    ...least(browsers[0], "jsTransferBytes", BROWSER_RULES, "Least script"),
  ];
  const few = [...loads, ...browsers].some(({ rounds }) => rounds < LEAST_ROUNDS);
  return html`<ul class="lead">${facts}</ul>${few && html`<p class="soft small">Load figures of fewer than ${LEAST_ROUNDS} rounds have no interval: a small difference between two rows says nothing, and there are no places.</p>`}`;
}

function least(
  section: Section | undefined,
  path: string,
  rules: readonly FigureRule[],
  words: string,
): Html[] {
  const rule = rules.find((one) => one.path === path);
  if (section === undefined || rule === undefined) return [];
  const of = (entry: Entry): number => entry.figures[path]?.median ?? Number.POSITIVE_INFINITY;
  const [best] = section.entries.filter(({ rankable }) => rankable).sort((a, b) => of(a) - of(b));
  const figure = best?.figures[path];
  if (best === undefined || figure === undefined || figure.median === null) return [];
  return [
    html`<li>${words}, ${section.responseMode}<b>${formatFigure(figure, rule)} ${rule.unit}</b>${best.displayName}</li>`,
  ];
}

function filtersHtml({ sections }: Group): Html {
  const runtimes = [
    ...new Set(sections.flatMap(({ entries }) => entries.map(({ runtime }) => runtime))),
  ].sort();
  return html`<form class="filters" data-filters hidden>
<label>Adapter <input type="search" name="q" autocomplete="off"></label>
<label>Runtime <select name="runtime"><option value="">all</option>${runtimes.map((runtime) => html`<option>${runtime}</option>`)}</select></label>
<label><input type="checkbox" name="rankable"> rankable only</label>
</form>`;
}

function tableHtml(section: Section, name: string, title: string): Html {
  const rules = section.kind === "load" ? LOAD_RULES : BROWSER_RULES;
  const places = section.entries.some(({ place }) => place !== null);
  const caption = `${section.rounds === 1 ? "One round" : `Medians of ${section.rounds} rounds${section.rounds >= LEAST_ROUNDS ? ", intervals below them" : ""}`}.`;
  return html`<h2 id="${name}">${title}</h2>
<div class="box" tabindex="0" role="region" aria-labelledby="${name}">
<table data-name="${name}"><caption>${caption}</caption>
<thead><tr>${places && html`<th scope="col">Place</th>`}<th scope="col" class="left">Adapter</th><th scope="col" class="left">Runtime</th>${rules.map((rule) => html`<th scope="col" data-better="${rule.better}" title="${rule.label}">${rule.heading}${rule.unit !== "" && html` <small>${rule.unit}</small>`}</th>`)}${section.kind === "load" && html`<th scope="col">Errors <small>timeouts</small></th><th scope="col" class="left">Verdict</th>`}</tr></thead>
<tbody>
${section.entries.map((entry) => rowHtml(entry, rules, section, places))}
${section.failures.map((failure) => html`<tr class="failed" data-adapter="${failure.adapter}" data-rankable="false"><th scope="row">${failure.adapter}</th><td class="wrap" colspan="${rules.length + 3 + Number(places)}">failed in ${failure.stage} (${failure.code}): ${failure.message} ${failure.hint}</td></tr>`)}
</tbody></table></div>`;
}

function rowHtml(entry: Entry, rules: readonly FigureRule[], { kind }: Section, places: boolean): Html {
  const { errors, timeouts } = entry.figures;
  return html`<tr data-adapter="${entry.adapter} ${entry.displayName}" data-runtime="${entry.runtime}" data-rankable="${String(entry.rankable)}">${places && html`<td data-value="${entry.place}">${entry.place ?? "–"}</td>`}<th scope="row">${entry.displayName} <small>${entry.frameworkVersion}${entry.deviations.length > 0 && " *"}</small></th><td class="left">${entry.runtime} <small>${entry.runtimeVersion}</small></td>${rules.map((rule) => figureCell(entry, rule))}${
    kind === "load" &&
    html`<td data-value="${errors?.median ?? ""}">${whole(errors)}/${whole(timeouts)}</td><td class="left">${entry.rankable ? "rankable" : html`<span class="not-rankable">not rankable: ${entry.reasons.join(", ")}</span>`}</td>`
  }</tr>
`;
}

function figureCell({ figures, nullReasons }: Entry, rule: FigureRule): Html {
  const figure = figures[rule.path];
  if (figure === undefined || figure.median === null) {
    return html`<td data-value="" title="${nullReasons[rule.path] ?? "not measured"}">–</td>`;
  }
  const interval = formatInterval(figure, rule);
  return html`<td data-value="${figure.median / rule.divisor}">${formatFigure(figure, rule)}${interval !== null && html`<small>${interval}</small>`}</td>`;
}

function whole(figure: Figure | undefined): string {
  return figure?.median == null ? "–" : figure.median.toFixed(0);
}

/** A figure of all adapters, both modes side by side; what a bar shows stands in the tables too. */
function chartsHtml(
  sections: readonly Section[],
  paths: readonly string[],
  rules: readonly FigureRule[],
  title: string,
): Html {
  const [first] = sections;
  const names = new Map(
    sections.flatMap(({ entries }) => entries.map((entry) => [entry.adapter, entry.displayName])),
  );
  const order = [
    ...new Set(
      [...(first?.entries ?? []), ...sections.flatMap(({ entries }) => entries)].map(
        ({ adapter }) => adapter,
      ),
    ),
  ];
  const figures = paths.flatMap((path) => {
    const rule = rules.find((one) => one.path === path);
    if (rule === undefined) return [];
    const series = sections.map((section): Bars => {
      const entries = order.map((id) => section.entries.find(({ adapter }) => adapter === id));
      return {
        color: `var(--${section.responseMode})`,
        figures: entries.map((entry) => entry?.figures[path] ?? null),
        rankable: entries.map((entry) => entry?.rankable ?? false),
      };
    });
    const chart = barChart(
      rule,
      order.map((id) => names.get(id) ?? id),
      series,
    );
    return [
      html`<figure><figcaption>${rule.label} <span class="soft small">(${rule.unit}; ${rule.better === "more" ? "more is better" : "less is better"})</span></figcaption><div class="box" tabindex="0" role="img" aria-label="Bars: ${rule.label}; the figures stand in the tables">${chart}</div></figure>`,
    ];
  });
  return html`<h3>${title}, drawn</h3><p class="key small">${sections.map(({ responseMode }) => html`<span style="--key: var(--${responseMode})">${responseMode}</span>`)}<span class="soft" style="--key: none">pale: not rankable; lines: intervals, where there are six rounds or more</span></p>${figures}`;
}

/** Complete mode beside progressive: what streaming costs each adapter. */
function streamingHtml(loads: readonly Section[], name: string): Html {
  const [progressive, complete] = loads;
  const rows = (progressive?.entries ?? []).flatMap((entry) => {
    const other = complete?.entries.find(({ adapter }) => adapter === entry.adapter);
    if (other === undefined) return [];
    return [
      {
        entry,
        other,
        rps: ratio(entry.figures.completedRps, other.figures.completedRps),
        cpu: ratio(entry.figures.cpuUsPerResponse, other.figures.cpuUsPerResponse),
        memory: ratio(entry.figures.peakRssMiB, other.figures.peakRssMiB),
      },
    ];
  });
  const cell = (value: number | null): Html =>
    html`<td data-value="${value}">${value === null ? "–" : value.toFixed(2)}</td>`;
  return html`<h2 id="${name}">What streaming costs</h2>
<p class="soft">Progressive ÷ complete, of the medians: two runs, one after the other. ${progressive !== undefined && progressive.rounds < LEAST_ROUNDS && "Without intervals, a ratio near 1 says nothing."}</p>
<div class="box" tabindex="0" role="region" aria-labelledby="${name}"><table data-name="${name}"><thead><tr><th scope="col" class="left">Adapter</th><th scope="col" data-better="more">RPS</th><th scope="col">CPU for a response</th><th scope="col">Peak RSS</th><th scope="col" class="left">Both rankable</th></tr></thead><tbody>
${rows.map(
  ({
    entry,
    other,
    rps,
    cpu,
    memory,
  }) => html`<tr data-adapter="${entry.adapter} ${entry.displayName}" data-runtime="${entry.runtime}" data-rankable="${String(entry.rankable && other.rankable)}"><th scope="row">${entry.displayName}</th>${cell(rps)}${cell(cpu)}${cell(memory)}<td class="left">${entry.rankable && other.rankable ? "yes" : html`<span class="not-rankable">no</span>`}</td></tr>
`,
)}</tbody></table></div>`;
}

function ratio(one: Figure | undefined, other: Figure | undefined): number | null {
  if (one?.median == null || other?.median == null || other.median === 0) return null;
  return one.median / other.median;
}

/** Verdicts, warnings and deviations, in plain sight. */
function notesHtml({ sections }: Group): Html {
  const reasons = [
    ...new Set(sections.flatMap(({ entries }) => entries.flatMap((entry) => entry.reasons))),
  ].sort();
  const warnings = sections.flatMap((section) =>
    section.warnings.map((warning) => ({ warning, file: section.source.file })),
  );
  const deviations = uniqueBy(
    sections.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.deviations.map((deviation) => ({ entry, deviation }))),
    ),
    ({ entry, deviation }) => `${entry.adapter} ${deviation.code}`,
  );
  return html`<h2>Verdicts</h2>
<p>A row is <i>rankable</i> where nothing that is known makes its figure doubtful.${reasons.length === 0 && " Here every row is."}</p>
${reasons.length > 0 && html`<ul>${reasons.map((reason) => html`<li><b>${reason}</b>: ${REASON_WORDS[reason as keyof typeof REASON_WORDS] ?? ""}</li>`)}</ul>`}
<h2>Warnings</h2>
${warnings.length === 0 ? html`<p>None.</p>` : html`<ul class="small">${uniqueBy(warnings, ({ warning, file }) => `${file}${lineOf(warning)}`).map(({ warning, file }) => html`<li>${lineOf(warning)} <span class="soft">${file}</span></li>`)}</ul>`}
<h2>Deviations</h2>
${
  deviations.length === 0
    ? html`<p>None is declared.</p>`
    : html`<p class="soft">Marked * in the tables.</p><ul class="small">${deviations.map(({ entry, deviation }) => html`<li><b>${entry.displayName}</b>, ${deviation.code} (${DEVIATION_WORDS[deviation.code] ?? ""}): ${deviation.why} ${linkTo(deviation.documentedAt, "Documentation")}</li>`)}</ul>`
}`;
}

function lineOf({ code, cell, message }: Warning): string {
  return `${code}${cell === null ? "" : ` (${cell})`}: ${message}`;
}

function linkTo(address: string, text: string): Html {
  const href = safeAddress(address);
  return href === null ? html`${text}: ${address}` : html`<a href="${href}" rel="noreferrer">${text}</a>`;
}

function provenanceHtml(group: Group): Html {
  const { machine, contractVersion, sourceDigest, gitRevision, dependencyMode, links } = group.source;
  const runtimes = [
    ...new Set(
      group.sections.flatMap(({ entries }) =>
        entries.map(({ runtime, runtimeVersion }) => `${runtime} ${runtimeVersion}`),
      ),
    ),
  ].sort();
  return html`<h2>Where this comes from</h2>
<dl>
<dt>Machine</dt><dd>${machine.cpuModel}, ${machine.logicalCpus} logical CPUs (${machine.allowedCpus.length} allowed), ${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB; governor ${machine.governor ?? "not readable"}, boost ${machine.boost ?? "not readable"}</dd>
<dt>System</dt><dd>${machine.os}, ${machine.kernel}</dd>
<dt>Runtimes</dt><dd>${runtimes.join("; ")}</dd>
<dt>Contract</dt><dd>version ${contractVersion}</dd>
<dt>Source</dt><dd><code>${sourceDigest}</code>, revision <code>${gitRevision ?? "unknown"}</code></dd>
<dt>Dependencies</dt><dd>${dependencyMode === "registry" ? "released packages, from the lockfiles" : links.map(({ name, revision }) => `${name} from a checkout at ${revision ?? "an unknown revision"}`).join("; ")}</dd>
${uniqueSources(group.sections).map(sourceHtml)}
</dl>
<p class="small">Whoever doesn't trust it: put the linked files into a folder beside a clone of the project, and <code>npm run results:verify -- FOLDER</code> recomputes every figure from its raw readings.</p>`;
}

function sourceHtml({ file, startedAt, endedAt, command, seed, loadAverage, browser, status }: Source): Html {
  const facts = [
    `${startedAt} to ${endedAt}`,
    status,
    ...(command === null ? [] : [command]),
    ...(seed === null ? [] : [`seed ${seed}`]),
    ...(loadAverage === null
      ? []
      : [`load average at the start ${loadAverage.map((one) => one.toFixed(2)).join(" ")}`]),
    ...(browser === null ? [] : [browser]),
  ];
  return html`<dt>${linkTo(file, file)}</dt><dd>${facts.join("; ")}</dd>
`;
}

function uniqueSources(sections: readonly Section[]): Source[] {
  return uniqueBy(
    sections.map(({ source }) => source),
    ({ file }) => file,
  );
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

function short(digest: string): string {
  return digest.slice(0, 12);
}
