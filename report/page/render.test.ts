import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { AnyReport } from "../any-report.ts";
import { publish } from "../publication/publish.ts";
import { readSummary } from "../publication/read.ts";
import { foundOf, makePublication, makePublisher } from "../testing/right-publication.ts";
import { makePlan, makeReport } from "../testing/right-report.ts";
import { type PageInput, pageModel } from "./model.ts";
import { renderPage } from "./render.ts";

const HASH = "hash";
const published = makePublication(["alpha", "beta"], 6);
const reports: PageInput[] = Object.entries(published).map(([file, content]) => ({ file, content }));
const summaries: PageInput[] = publish(foundOf(published), makePublisher(published)).map((one) => {
  assert.ok(one.status === "published");
  const read = readSummary(one.text);
  assert.ok(read.ok);
  return { file: one.name, content: read.report };
});

type Element = DefaultTreeAdapterTypes.Element;

function elements(page: string, name: string): Element[] {
  const found: Element[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === name) found.push(node as Element);
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  walk(parse(page));
  return found;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

function render(inputs: readonly PageInput[]): string {
  return renderPage(pageModel(inputs), HASH);
}

/** A report with one thing changed that nobody recomputes here. */
function changed(change: (report: AnyReport) => void): PageInput[] {
  const content = structuredClone(published["ssr-todo-official.json"]);
  change(content);
  return [{ file: "mine.json", content }];
}

describe("a page", () => {
  const page = render(reports);

  test("has a table for each mode under load, for streaming and for the browser", () => {
    assert.deepEqual(
      elements(page, "table").map((table) => attribute(table, "data-name")),
      ["load-progressive", "load-complete", "streaming", "browser-progressive"],
    );
  });

  test("draws what a person wants to see first, with intervals", () => {
    assert.equal(elements(page, "svg").length, 9);
    assert.match(page, /Throughput: whole, valid responses a second/);
    assert.match(page, /stroke="var\(--whisker\)"/);
  });

  test("asks for nothing: no address but those of links, and the icon in the page itself", () => {
    for (const name of ["script", "img", "iframe", "use", "image"]) {
      for (const element of elements(page, name)) assert.equal(attribute(element, "src"), undefined, name);
    }
    assert.deepEqual(
      elements(page, "link").map((link) => attribute(link, "href")),
      ["data:,"],
    );
    assert.doesNotMatch(page, /@import|url\(/);
  });

  test("has places where every rankable row has an interval", () => {
    assert.match(page, /Place/);
    const one = Object.entries(makePublication(["alpha"])).map(([file, content]) => ({ file, content }));
    assert.doesNotMatch(render(one), />Place</);
  });

  test("links the reports that it was made of", () => {
    const addresses = elements(page, "a").map((link) => attribute(link, "href"));
    for (const { file } of reports) assert.ok(addresses.includes(file), file);
  });

  test("is the same for the same inputs, in whatever order", () => {
    assert.equal(render(structuredClone(reports)), page);
  });

  test("of summaries alone has the same figures, and places", () => {
    const text = render(summaries);
    assert.match(text, /Place/);
    const cells = (source: string) =>
      elements(source, "td").map((cell) => attribute(cell, "data-value") ?? "");
    for (const value of cells(page)) assert.ok(cells(text).includes(value), value);
  });

  test("shows what reports and summaries both have only once", () => {
    assert.equal(
      elements(render([...reports, ...summaries]), "table").length,
      elements(page, "table").length,
    );
  });
});

describe("in plain sight", () => {
  test("that a run was quick, filtered or dirty", () => {
    const quick = makeReport(makePlan({ filtered: true }));
    quick.provenance.dirty = true;
    const text = render([{ file: "quick.json", content: quick }]);
    for (const words of [/quick run/, /filtered/, /dirty/]) assert.match(text, words);
  });

  test("why a row isn't rankable, and what that means", () => {
    const text = render(
      changed(({ rows }) => Object.assign(rows[0] as object, { rankable: false, reasons: ["stalled"] })),
    );
    assert.match(text, /not rankable: stalled/);
    assert.match(text, /no response was completed/);
  });

  test("a failure with its stage, code and hint", () => {
    const failure = { stage: "warm", code: "server-exit", message: "it exited", hint: "See why it did." };
    const row = {
      status: "failed",
      adapter: "alpha",
      responseMode: "progressive",
      attempts: 1,
      measuredRounds: 0,
      failure,
    };
    const text = render(changed(({ rows }) => rows.splice(0, 1, row as never)));
    assert.match(text, /failed in warm \(server-exit\): it exited See why it did\./);
  });

  test("warnings and deviations, as text whatever is in them", () => {
    const evil = "<script>alert(1)</script>";
    const text = render(
      changed((report) => {
        report.warnings.push({ code: "odd", cell: null, message: evil });
        const deviation = { code: "own-client", why: evil, documentedAt: "javascript:alert(1)" };
        Object.assign(report.rows[0] as object, { deviations: [deviation] });
        Object.assign(report.provenance.adapters[0] as object, { displayName: evil });
      }),
    );
    assert.equal(elements(text, "script").length, 1);
    assert.equal(text.includes(evil), false);
    assert.match(text, /odd: &lt;script&gt;/);
    assert.ok(elements(text, "a").every((link) => !attribute(link, "href")?.startsWith("javascript:")));
  });

  test("that reports of two machines don't compare: each has its own set", () => {
    const other = structuredClone(published["ssr-todo-official-complete.json"]);
    other.provenance.machine.cpuModel = "Another CPU";
    const [first] = reports;
    assert.ok(first !== undefined);
    const text = render([first, { file: "other.json", content: other }]);
    assert.match(text, /Set 1 of 2/);
    assert.match(text, /Set 2 of 2: Another CPU/);
    assert.ok(!elements(text, "table").some((table) => attribute(table, "data-name") === "streaming"));
  });

  test("that too few rounds have no interval", () => {
    const text = render(
      Object.entries(makePublication(["alpha"])).map(([file, content]) => ({ file, content })),
    );
    assert.match(text, /fewer than 6 rounds/);
  });
});
