import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, endsDocument, judge } from "./judge.ts";

const pieces = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text));

const RIGHT: Answer = {
  nonce: "abc123",
  status: 200,
  framing: "length",
  closes: false,
  interim: false,
  surplus: false,
  nonceSeen: true,
  pieces: pieces(`<html data-request="abc123">`, "</html>"),
};

const invalid = (fault: string): object => ({ kind: "invalid", fault });

test("a right answer is completed", () => {
  assert.deepEqual(judge(RIGHT), { kind: "completed" });
  assert.deepEqual(judge({ ...RIGHT, framing: "chunked", status: 299 }), { kind: "completed" });
});

test("each fault has its name", () => {
  for (const status of [199, 300, 304, 404, 502]) {
    assert.deepEqual(judge({ ...RIGHT, status }), { kind: "non2xx" });
  }
  assert.deepEqual(judge({ ...RIGHT, interim: true }), invalid("interim"));
  assert.deepEqual(judge({ ...RIGHT, closes: true }), invalid("connectionClose"));
  assert.deepEqual(judge({ ...RIGHT, framing: "none" }), invalid("noFraming"));
  assert.deepEqual(judge({ ...RIGHT, surplus: true }), invalid("length"));
  assert.deepEqual(judge({ ...RIGHT, nonceSeen: false, nonce: "other" }), invalid("nonce"));
  assert.deepEqual(judge({ ...RIGHT, pieces: pieces("<html>") }), invalid("sentinel"));
  assert.deepEqual(judge({ ...RIGHT, nonceSeen: false, pieces: [] }), invalid("nonce"));
});

test("of several faults the first one counts", () => {
  const all: Answer = {
    nonce: "other",
    status: 500,
    framing: "none",
    closes: true,
    interim: true,
    surplus: true,
    nonceSeen: false,
    pieces: [],
  };
  assert.deepEqual(judge(all), { kind: "non2xx" });
  assert.deepEqual(judge({ ...all, status: 200 }), invalid("interim"));
  assert.deepEqual(judge({ ...all, status: 200, interim: false }), invalid("connectionClose"));
  assert.deepEqual(judge({ ...all, status: 200, interim: false, closes: false }), invalid("noFraming"));
});

test("a nonce across two pieces is found", () => {
  const torn = { ...RIGHT, nonceSeen: false, pieces: pieces(`<html data-request="abc`, `123">`, "</html>") };
  assert.deepEqual(judge(torn), { kind: "completed" });
});

test("the end of the document is found in any cut, with white space after it", () => {
  const text = "<p></html>\r\n\t \f";
  for (let first = 0; first <= text.length; first += 1) {
    for (let second = first; second <= text.length; second += 1) {
      const cut = pieces(text.slice(0, first), text.slice(first, second), text.slice(second));
      assert.ok(endsDocument(cut), `${first}, ${second}`);
    }
  }
});

test("what isn't the end of the document", () => {
  for (const text of [
    "",
    "</html",
    "html>",
    "</html>.",
    "</html><!-- -->",
    "</ html>",
    "</html\n>",
    "</HTML>",
    "\n",
  ]) {
    assert.ok(!endsDocument(pieces(text)), text);
  }
});
