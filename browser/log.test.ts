import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { judgeLog, type PageLog, type RequestRecord, scriptBytes } from "./log.ts";

const READY_AT_MS = 1_000;

function request(changes: Partial<RequestRecord> = {}): RequestRecord {
  return {
    url: "https://127.0.0.1:1/assets/a.js",
    type: "Script",
    sentAtMs: 500,
    status: 200,
    mimeType: "text/javascript",
    protocol: "h2",
    encodedBytes: 10,
    failed: null,
    cancelled: false,
    ...changes,
  };
}

function rules(log: Partial<PageLog>): string[] {
  return judgeLog({ console: [], requests: [], ...log }, READY_AT_MS).map(({ rule }) => rule);
}

describe("a visit's log", () => {
  test("with scripts and plain console lines is right", () => {
    assert.deepEqual(rules({ requests: [request()], console: [{ kind: "log", text: "hello" }] }), []);
  });

  test("shows errors and warnings of the console, and those that nobody handled", () => {
    const console = ["error", "warning", "page error"].map((kind) => ({ kind, text: "x" }));
    assert.deepEqual(rules({ console }), ["console", "page-error"]);
  });

  for (const [what, changes, expected] of [
    ["a missing asset", { status: 404 }, ["request-status"]],
    ["a broken connection", { status: null, failed: "net::ERR_FAILED" }, ["request-failed"]],
    ["another protocol", { protocol: "http/1.1" }, ["protocol"]],
    ["data before ready", { type: "Fetch", sentAtMs: 999 }, ["data-before-ready"]],
    ["data before ready as a module", { mimeType: "application/json" }, ["data-before-ready"]],
    [
      "data before ready as a preload",
      { type: "Other", mimeType: "application/json" },
      ["data-before-ready"],
    ],
    ["a favicon before ready", { type: "Other", mimeType: "image/svg+xml" }, []],
    ["a module preload before ready", { type: "Other", mimeType: "application/javascript" }, []],
    ["data after ready as a module", { mimeType: "application/json", sentAtMs: 1_001 }, []],
    ["data after ready", { type: "Fetch", sentAtMs: 1_001 }, []],
    [
      "a prefetch that the browser gave up",
      { type: "Fetch", sentAtMs: 1_001, status: null, failed: "net::ERR_ABORTED", cancelled: true },
      [],
    ],
    [
      "a script that the browser gave up",
      { status: null, failed: "net::ERR_ABORTED", cancelled: true },
      ["request-failed"],
    ],
    ["a picture in the page itself", { url: "data:image/png;base64,", protocol: "data" }, []],
  ] as const) {
    test(what, () => assert.deepEqual(rules({ requests: [request(changes)] }), expected));
  }

  test("gives the encoded bytes of its scripts", () => {
    const requests = [request(), request({ encodedBytes: 7 }), request({ type: "Stylesheet" })];
    assert.equal(scriptBytes({ console: [], requests }), 17);
  });
});
