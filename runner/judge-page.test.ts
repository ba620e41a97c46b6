import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ResponseMode } from "../report/schema.ts";
import { pageHtml } from "../todo/contract/page.fixture.ts";
import { checkKeptReply } from "./judge-page.ts";
import type { KeptReply } from "./load/port.ts";

type Header = KeptReply["headers"][number];

describe("checkKeptReply", () => {
  const atMs = Date.parse("2026-09-11T22:49:49.677Z");
  const html = pageHtml({ timestamp: new Date(atMs).toISOString(), filter: "all", nonce: "n1" });
  const kept: KeptReply = {
    nonce: "n1",
    version: "HTTP/1.1",
    status: 200,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Cache-Control", "no-store"],
      ["Transfer-Encoding", "chunked"],
    ],
    framing: "chunked",
    body: Buffer.from(html),
    sentAtMs: atMs + 0.3,
    endedAtMs: atMs + 4.2,
  };
  const rules = (one: KeptReply, mode: ResponseMode = "progressive"): string[] =>
    checkKeptReply(one, { mode, assetPath: "/assets/" }).map(({ rule }) => rule);

  it("finds nothing wrong with the response to that very request", () => {
    assert.deepEqual(rules(kept), []);
  });

  it("sees another request's response, an old one, one cut short, and one that isn't UTF-8", () => {
    assert.deepEqual(rules({ ...kept, nonce: "n12" }), ["nonce"]);
    assert.deepEqual(rules({ ...kept, sentAtMs: atMs + 1, endedAtMs: atMs + 9 }), ["timestamp-window"]);
    assert.ok(rules({ ...kept, body: kept.body.subarray(0, -20_000) }).includes("sentinel"));
    assert.ok(rules({ ...kept, body: Buffer.concat([kept.body, Buffer.of(0xff)]) }).includes("utf-8"));
  });

  it("sees a head that isn't the contract's, and the other mode's framing", () => {
    const [, noStore, chunked] = kept.headers as [Header, Header, Header];
    const plain: Header = ["Content-Type", "text/plain; charset=utf-8"];
    assert.deepEqual(rules({ ...kept, headers: [plain, noStore, chunked] }), ["content-type"]);
    assert.deepEqual(rules(kept, "complete"), ["complete"]);
  });
});
