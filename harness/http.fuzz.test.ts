/** Random and mutated bytes against everything that reads what a server says: nothing throws, nothing wrong passes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkBenchInfo, parseBenchInfo } from "../todo/contract/bench-info.ts";
import { checkExchange, type Exchange, get, type Outcome, type Question } from "../todo/contract/http.ts";
import { ReplyParser } from "./reply-parser.ts";
import { cuts, FUZZ, mutated, pieces } from "./test/fuzz.ts";

function parse(parts: readonly Uint8Array[], ended = false): ReplyParser {
  const parser = new ReplyParser("GET");
  for (const part of parts) parser.push(Buffer.from(part));
  if (ended) parser.end();
  return parser;
}

/** All that an answer says, bodies as text, to be compared. */
function told({ result, trailingBytes, closes }: ReplyParser): object {
  const reply = result?.kind === "reply" ? result.reply : null;
  const body = reply === null ? null : Buffer.from(reply.body).toString("latin1");
  return { outcome: reply === null ? result : { ...reply, body }, trailingBytes, closes };
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");

const STATUS = fc.constantFrom("200 OK", "404 Not Found", "204 No Content", "103 Early Hints", "500");
const HEADER = fc.constantFrom(
  "Content-Length: 5",
  "Content-Length: 5, 5",
  "Content-Length: -1",
  "Content-Length: 99999999999",
  "Transfer-Encoding: chunked",
  "transfer-encoding: gzip, chunked",
  "Connection: close",
  "Connection: keep-alive",
  "Content-Type: text/html; charset=utf-8",
  "Cache-Control: no-store",
  `X-Long: ${" ".repeat(5_000)}a`,
  "X: \0",
  " folded",
  "no colon",
);
const BODY = fc.constantFrom(
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "5;x\r\nhello\r\n0\r\nA: b\r\n\r\n",
  "ffffffff\r\n",
  "",
  "0\r\n\r\n",
);
/** What looks like one answer, or several. */
const ANSWER = fc
  .array(fc.record({ status: STATUS, headers: fc.array(HEADER, { maxLength: 4 }), body: BODY }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((answers) =>
    bytesOf(
      answers
        .map(
          ({ status, headers, body }) => `${[`HTTP/1.1 ${status}`, ...headers].join("\r\n")}\r\n\r\n${body}`,
        )
        .join(""),
    ),
  );
const BYTES = fc.oneof(fc.uint8Array({ maxLength: 400 }), ANSWER, mutated(ANSWER));

describe("the reply parser", () => {
  it("says the same however the bytes were cut, and throws at nothing", () => {
    fc.assert(
      fc.property(BYTES, cuts(), fc.boolean(), (bytes, where, ended) => {
        assert.deepEqual(told(parse(pieces(bytes, where), ended)), told(parse([bytes], ended)));
      }),
      FUZZ,
    );
  });

  it("accepts only what it would accept again, written out in full", () => {
    fc.assert(
      fc.property(BYTES, (bytes) => {
        const { result } = parse([bytes], true);
        if (result?.kind !== "reply" || result.reply.framing === "none") return;
        const { version, status, headers, framing, body } = result.reply;
        const text = Buffer.from(body).toString("latin1");
        const whole =
          framing === "chunked" && text !== "" ? `${text.length.toString(16)}\r\n${text}\r\n` : text;
        const lines = [`${version} ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
        const head = `${lines.join("\r\n")}\r\n\r\n`;
        const again = parse([bytesOf(`${head}${whole}${framing === "chunked" ? "0\r\n\r\n" : ""}`)], true);
        assert.ok(again.result?.kind === "reply");
        assert.deepEqual(
          [again.result.reply.headers, Buffer.from(again.result.reply.body)],
          [headers, Buffer.from(body)],
        );
      }),
      FUZZ,
    );
  });

  it("never takes a part of an answer for the whole", () => {
    const right = fc.constantFrom(
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
    );
    fc.assert(
      fc.property(right, fc.nat(), (text, length) => {
        const { result } = parse([bytesOf(text.slice(0, length % text.length))], true);
        assert.equal(result, null);
      }),
      FUZZ,
    );
  });

  it("gives up on an answer without an end before it fills the memory", () => {
    for (const endless of ["x".repeat(1024), "HTTP/1.1 100 Continue\r\n\r\n".repeat(40)]) {
      const { result } = parse(Array.from({ length: 200 }, () => bytesOf(endless)));
      assert.equal(result?.kind === "failed" && result.fault, "unparsable");
    }
    for (const framing of ["Content-Length: 999999999999", "Transfer-Encoding: chunked"]) {
      const { result } = parse([bytesOf(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\nfffffff0\r\n`)]);
      assert.equal(result?.kind === "failed" && result.fault, "unparsable");
    }
  });
});

const QUESTIONS: readonly Question[] = [
  { kind: "page", filter: "all", nonce: "n", why: "plain" },
  { kind: "head", filter: "all" },
  { kind: "info" },
  { kind: "asset", asset: { kind: "script", href: "/assets/a-0a1b2c3d.js" }, path: "/assets/a-0a1b2c3d.js" },
  { kind: "outside" },
  { kind: "missing" },
  { kind: "method" },
];

describe("the HTTP checks", () => {
  const outcome: fc.Arbitrary<Outcome> = fc.record({
    kind: fc.constant("reply" as const),
    reply: fc.record({
      version: fc.constantFrom("HTTP/1.1", "HTTP/1.0"),
      status: fc.constantFrom(200, 201, 204, 304, 404, 405, 500),
      headers: fc.array(
        fc.tuple(
          fc.constantFrom("content-type", "Cache-Control", "content-length", "etag", "content-encoding", "x"),
          fc.oneof(
            fc.string(),
            fc.constantFrom("text/html", "no-store", "5", "max-age=1, immutable", ";;;charset="),
          ),
        ),
        { maxLength: 8 },
      ),
      framing: fc.constantFrom("length", "chunked", "until-close", "none"),
      chunks: fc.nat(5),
      body: fc.uint8Array({ maxLength: 2_000 }),
      interim: fc.array(fc.constantFrom(100, 103), { maxLength: 2 }),
    }),
  });

  it("throw at no answer, and call no random one a page, an asset or information", () => {
    fc.assert(
      fc.property(
        outcome,
        fc.constantFrom(...QUESTIONS),
        fc.constantFrom("progressive", "complete"),
        (seen, question, mode) => {
          const request = get("/");
          const exchange: Exchange = {
            request,
            outcome: seen,
            sentAtMs: 0,
            endedAtMs: 1,
            turn: 0,
            trailingBytes: 0,
          };
          const problems = checkExchange({ question, request }, exchange, { mode, assetPath: "/assets/" });
          if (question.kind === "page" || question.kind === "asset") assert.notEqual(problems.length, 0);
          for (const { expected, seen: found } of problems) assert.ok(expected.length + found.length < 1_000);
        },
      ),
      FUZZ,
    );
  });
});

describe("/bench/info", () => {
  const right = {
    adapter: "a",
    responseMode: "complete",
    runtime: "node",
    runtimeVersion: "1",
    pid: 7,
    frameworkVersion: "1",
    artifacts: [{ path: "dist/a.js", sha256: "a".repeat(64) }],
  };
  const expected = { adapter: "a", responseMode: "complete", runtime: "node" } as const;
  const RIGHT_BYTES = Buffer.from(JSON.stringify(right));

  it("is read, or refused with a reason, whatever the bytes are", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map(bytesOf),
          mutated(fc.constant(RIGHT_BYTES)),
        ),
        (bytes) => {
          const parsed = parseBenchInfo(bytes);
          if (parsed.info === null) return assert.notEqual(parsed.problems.length, 0);
          checkBenchInfo(parsed.info, expected);
          assert.ok(Number.isSafeInteger(parsed.info.pid) && parsed.info.pid > 0);
          assert.ok(parsed.info.artifacts.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
        },
      ),
      FUZZ,
    );
  });

  it("is refused where any of its fields is anything else", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(right)), fc.jsonValue(), (field, value) => {
        const text = typeof value === "string" && value.trim() !== "";
        fc.pre(!text && !(field === "pid" && Number.isSafeInteger(value)));
        assert.equal(parseBenchInfo(Buffer.from(JSON.stringify({ ...right, [field]: value }))).info, null);
      }),
      FUZZ,
    );
  });
});
