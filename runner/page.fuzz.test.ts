/** Random, mutated and monstrous pages against the DOM checks: nothing throws, nothing wrong passes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { cuts, FUZZ, mutated } from "../harness/test/fuzz.ts";
import { assetConversation, checkAssetReferences } from "../todo/contract/http.ts";
import { pageHtml } from "../todo/contract/page.fixture.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { checkKeptReply } from "./judge-page.ts";

const AT_MS = Date.parse("2026-09-11T22:49:49.677Z");
const TIMESTAMP = new Date(AT_MS).toISOString();
const RIGHT = Buffer.from(pageHtml({ timestamp: TIMESTAMP, filter: "all", nonce: "n1" }));

function judge(body: Uint8Array): Problem[] {
  const reply = {
    nonce: "n1",
    version: "HTTP/1.1",
    status: 200,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Cache-Control", "no-store"],
      ["Transfer-Encoding", "chunked"],
    ],
    framing: "chunked",
    body,
    sentAtMs: AT_MS,
    endedAtMs: AT_MS + 5,
  } as const;
  return checkKeptReply(reply, { mode: "progressive", assetPath: "/assets/" });
}

const TOKEN = fc.constantFrom(
  "<!doctype html>",
  "<html lang=en data-todo-app data-request=n1>",
  "</html>",
  "<ul>",
  "<li data-todo=todo-001 data-variant=0>",
  "</li>",
  "<span data-title>Todo 001 at 2026-99-99T99:99:99.999Z</span>",
  "<span data-title>Todo 001 at 2026-09-11T22:49:49.677Z</span>",
  "<input data-toggle type=checkbox>",
  "<time data-due datetime=x>",
  "<a data-filter=all href=/ aria-current=page>",
  "<x-a>",
  "</x-a>",
  "<template shadowrootmode=open>",
  "</template>",
  "<slot>",
  "<slot name=a>",
  "<b slot=a>",
  "<table>",
  "<tr>",
  "<select>",
  "<svg>",
  "<math>",
  "<frameset>",
  "<noscript>",
  "<plaintext>",
  "<!--",
  "-->",
  "<script>",
  "</script>",
  "<link rel=icon href='http://['>",
  "<base href=//x>",
  "<p style='display:none;;;'>",
  "&#0;&#xD800;&notanentity;",
  "\0",
);

describe("the page checks", () => {
  it("find nothing wrong with the page that is mutated below", () => assert.deepEqual(judge(RIGHT), []));

  it("throw at no tangle of tags, and call none a page", () => {
    fc.assert(
      fc.property(fc.array(TOKEN, { maxLength: 60 }), (tokens) => {
        assert.notEqual(judge(Buffer.from(tokens.join(""))).length, 0);
      }),
      FUZZ,
    );
  });

  it("throw at no bytes, and call none a page", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => assert.notEqual(judge(bytes).length, 0)),
      FUZZ,
    );
  });

  it("throw at no mutation of a right page", () => {
    fc.assert(
      fc.property(mutated(fc.constant(RIGHT)), (bytes) => {
        for (const { expected, seen } of judge(bytes)) assert.ok(expected.length + seen.length < 1_000);
      }),
      { ...FUZZ, numRuns: 100 },
    );
  });

  it("call no page right that was cut short, or lacks a piece that holds anything of an item", () => {
    const items = RIGHT.indexOf("data-todo=");
    fc.assert(
      fc.property(cuts(), fc.nat(), (shares, length) => {
        const from = items + Math.floor((shares[0] ?? 0.5) * (RIGHT.lastIndexOf("</li>") - items));
        const lost = RIGHT.subarray(from, from + 1 + (length % 400));
        fc.pre(/Todo \d|data-|<\/?[a-z]/.test(lost.toString("latin1")));
        assert.notEqual(judge(RIGHT.subarray(0, from)).length, 0);
        const without = Buffer.concat([RIGHT.subarray(0, from), RIGHT.subarray(from + lost.byteLength)]);
        assert.notEqual(judge(without).length, 0);
      }),
      { ...FUZZ, numRuns: 100 },
    );
  });

  /** Rounds of a doubling in which a naive reader of slots drowns. */
  const slots = (depth: number): string =>
    depth === 0
      ? "<i></i>"
      : `<x-a><template shadowrootmode=open><slot></slot><slot></slot></template>${slots(depth - 1)}</x-a>`;
  const monsters: readonly (readonly [what: string, html: string])[] = [
    ["a page far deeper than browsers nest", "<div>".repeat(100_000)],
    ["deep shadow roots", "<div><template shadowrootmode=open>".repeat(20_000)],
    ["two hundred thousand elements side by side", "<p>x".repeat(200_000)],
    [
      "five thousand items in one list item",
      `<ul><li>${"<div data-todo=todo-001><b data-title>x</b></div>".repeat(5_000)}`,
    ],
    ["twenty thousand items", "<li data-todo=todo-001><b data-title>x</b>".repeat(20_000)],
    ["slots that double their content", slots(60)],
    ["an address of half a megabyte", `<link rel=stylesheet href="/${"a".repeat(500_000)}">`],
    ["an address of dashes", `<link rel=stylesheet href="/${"-a".repeat(250_000)}!.css">`],
    ["ten thousand attributes", `<div ${Array.from({ length: 10_000 }, (_, nth) => `a${nth}`).join(" ")}>`],
    ["formatting that is never closed", "<b><i><a>".repeat(2_000)],
    [
      "a title with a date that is none",
      "<li data-todo=todo-001><b data-title>Todo 001 at 2026-99-99T99:99:99.999Z</b>",
    ],
    ["more bytes than a page may have", " ".repeat(5_000_000)],
  ];
  for (const [what, html] of monsters) {
    it(`survive ${what}`, () => {
      assert.notEqual(judge(Buffer.from(`<!doctype html><div data-todo-app>${html}`)).length, 0);
    });
  }
});

describe("the asset checks", () => {
  it("throw at no address", () => {
    const href = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.webUrl(),
      fc.constantFrom("//", "http://[", "data:", "/%", "?", "-a".repeat(200_000)),
    );
    fc.assert(
      fc.property(href, fc.constantFrom("script", "stylesheet", "icon", "modulepreload"), (address, kind) => {
        const assets = [{ kind, href: address }] as const;
        checkAssetReferences(assets, "/", "/assets/");
        assetConversation(assets, "/");
      }),
      FUZZ,
    );
  });
});
