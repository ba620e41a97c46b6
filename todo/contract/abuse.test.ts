import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkHeard, type Heard, type OddRequest, oddRequests } from "./abuse.ts";
import type { Reply } from "./http.ts";

const CONTEXT = { mode: "complete", assetPath: "/assets/" } as const;

function requests(): OddRequest[] {
  let nth = 0;
  const nonce = (): string => {
    nth += 1;
    return `nonce${nth}`;
  };
  return oddRequests({ nonce, authority: "127.0.0.1:8000", assetPath: "/assets/" });
}

const ALL = requests();
const request = (rule: string): OddRequest => ALL.find((one) => one.rule === rule) ?? assert.fail(rule);

function reply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = new TextEncoder().encode(text);
  const all = { "content-length": String(body.byteLength), ...headers };
  return {
    version: "HTTP/1.1",
    status,
    headers: Object.entries(all),
    framing: "length",
    chunks: 0,
    body,
    interim: [],
  };
}

function page(nonce: string, status = 200): Reply {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return reply(status, `<!doctype html><html data-request="${nonce}"></html>`, headers);
}

const refused = (status: number, headers = {}): Reply => reply(status, "no", headers);

function rulesOf(rule: string, replies: readonly Reply[], ending: Heard["ending"] = "answered"): string[] {
  return checkHeard(request(rule), { replies, ending }, CONTEXT).map((one) => `${one.rule}: ${one.expected}`);
}

describe("oddRequests", () => {
  it("says short what was sent, whatever its size, and each thing once", () => {
    const whats = ALL.map(({ what }) => what);
    assert.ok(whats.every((what) => what.length < 100));
    assert.deepEqual([...new Set(whats)], whats);
  });

  it("gives each request for a page a nonce of its own, but for the one whose line is too long", () => {
    const nonces = ALL.flatMap(({ asks }) => asks).flatMap(({ question }) =>
      question.kind === "page" && question.nonce !== "" ? [question.nonce] : [],
    );
    assert.ok(nonces.length > 12);
    assert.deepEqual([...new Set(nonces)], nonces);
  });

  it("reaches the sizes that it names", () => {
    const targets = ALL.flatMap(({ asks }) => asks.map((ask) => ask.request.target.length));
    assert.ok(Math.max(...targets) > 1024 * 1024);
    const headers = ALL.flatMap(({ asks }) => asks.map((ask) => ask.request.headers.length));
    assert.equal(Math.max(...headers), 10_000);
  });
});

describe("checkHeard", () => {
  it("accepts every way in which HTTP lets a server refuse", () => {
    for (const rule of ["oversized", "hostile-target", "absolute-form", "empty-segment"]) {
      for (const status of [400, 404, 413, 414, 431, 501, 505])
        assert.deepEqual(rulesOf(rule, [refused(status)]), []);
      assert.deepEqual(rulesOf(rule, [refused(308, { location: "/etc/passwd" })]), []);
      assert.deepEqual(rulesOf(rule, [refused(301, { location: "http://127.0.0.1:8000/" })]), []);
      assert.deepEqual(rulesOf(rule, [], "closed"), []);
      assert.deepEqual(rulesOf(rule, [], "cut-short"), []);
    }
  });

  it("accepts a server that reads on, where the request is a right one all the same", () => {
    assert.deepEqual(rulesOf("oversized", [page("")]), []);
    assert.deepEqual(rulesOf("absolute-form", [page("nonce15")]), []);
  });

  it("accepts answers in order, and fewer of them where the connection was closed", () => {
    assert.deepEqual(rulesOf("pipelined", [page("nonce1"), page("nonce2")]), []);
    assert.deepEqual(rulesOf("pipelined", [page("nonce1")], "closed"), []);
    assert.deepEqual(rulesOf("pipelined", [], "closed"), []);
  });

  const wrong: readonly (readonly [what: string, rule: string, replies: Reply[], ending: Heard["ending"]])[] =
    [
      ["a hang", "oversized", [], "timeout"],
      ["a server that is gone", "oversized", [], "refused"],
      ["garbage", "oversized", [], "unparsable"],
      ["500 to a long line", "oversized", [refused(500)], "answered"],
      ["503 to a flood", "oversized", [refused(503)], "answered"],
      ["another request's page", "absolute-form", [page("nonce1")], "answered"],
      ["a file", "hostile-target", [reply(200, "root:x:0:0")], "answered"],
      ["the page for a path that isn't there", "hostile-target", [page("nonce1")], "answered"],
      ["a 404 with the list", "hostile-target", [reply(404, "<p data-todo>")], "answered"],
      ["a redirect to elsewhere", "hostile-target", [refused(302, { location: "//etc/passwd" })], "answered"],
      ["500 to what can't be decoded", "hostile-target", [refused(500)], "answered"],
      ["answers in another order", "pipelined", [page("nonce2"), page("nonce1")], "answered"],
      ["the first answer twice", "pipelined", [page("nonce1"), page("nonce1")], "answered"],
      ["a second request refused", "pipelined", [page("nonce1"), refused(400)], "answered"],
      ["an answer cut short", "pipelined", [page("nonce1")], "cut-short"],
      ["a second answer that never comes", "pipelined", [page("nonce1")], "timeout"],
    ];
  for (const [what, rule, replies, ending] of wrong) {
    it(`sees ${what}`, () => {
      const [first] = rulesOf(rule, replies, ending);
      assert.ok(first?.startsWith(`${rule}: ${request(rule).what}: `), first ?? "nothing");
    });
  }
});
