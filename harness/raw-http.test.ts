import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Exchange, get, type WireRequest } from "../todo/contract/http.ts";
import { converse } from "./raw-http.ts";
import { OK, type Script, withServer } from "./test/scripted-server.ts";

const GET = get("/");

function ask(
  scripts: readonly Script[],
  requests: readonly WireRequest[] = [GET],
  timeoutMs = 5_000,
): Promise<Exchange[]> {
  const signal = new AbortController().signal;
  return withServer(scripts, (target) => converse(target, requests, { timeoutMs, signal }));
}

/** One line that says how it went. */
function summary({ outcome, turn, trailingBytes }: Exchange): string {
  const tail = `turn ${turn}${trailingBytes > 0 ? `, ${trailingBytes} trailing` : ""}`;
  if (outcome.kind === "failed") return `${outcome.fault}, ${tail}`;
  const { status, framing, chunks, body, interim } = outcome.reply;
  const before = interim.length > 0 ? `${interim.join(" ")} then ` : "";
  return `${before}${status} ${framing} ${chunks} ${JSON.stringify(Buffer.from(body).toString())}, ${tail}`;
}

const REPLIES: readonly (readonly [what: string, script: Script, seen: string])[] = [
  ["a length", { pieces: [OK] }, `200 length 0 "ok", turn 0`],
  ["every byte alone", { pieces: [...OK] }, `200 length 0 "ok", turn 0`],
  [
    "chunks",
    { pieces: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n"] },
    `200 chunked 2 "abc", turn 0`,
  ],
  [
    "chunks byte by byte, with a trailer",
    {
      pieces: [
        ..."HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
      ],
    },
    `200 chunked 1 "0123456789", turn 0`,
  ],
  [
    "the connection's end",
    { pieces: ["HTTP/1.1 200 OK\r\n\r\nab"], ending: "close" },
    `200 until-close 0 "ab", turn 0`,
  ],
  ["no body", { pieces: ["HTTP/1.1 204 No Content\r\n\r\n"] }, `204 none 0 "", turn 0`],
  [
    "interim replies",
    { pieces: [`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${OK}`] },
    `103 100 then 200 length 0 "ok", turn 0`,
  ],
  ["a second reply", { pieces: [OK + OK] }, `200 length 0 "ok", turn 0, ${OK.length} trailing`],
  ["a byte too many", { pieces: [`${OK}!`] }, `200 length 0 "ok", turn 0, 1 trailing`],
  [
    "a body cut short",
    { pieces: ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"], ending: "close" },
    "closed-in-body, turn 0",
  ],
  [
    "chunks without an end",
    { pieces: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"], ending: "close" },
    "closed-in-body, turn 0",
  ],
  ["a head cut short", { pieces: ["HTTP/1.1 200"], ending: "close" }, "closed-in-head, turn 0"],
  ["nothing, then closed", { pieces: [], ending: "close" }, "closed-in-head, turn 0"],
  ["a reset", { pieces: [], ending: "reset" }, "reset, turn 0"],
  ["garbage", { pieces: ["hello\r\n\r\n"] }, "unparsable, turn 0"],
  ["a header without a name", { pieces: ["HTTP/1.1 200 OK\r\n: x\r\n\r\n"] }, "unparsable, turn 0"],
  [
    "a bad chunk size",
    { pieces: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"] },
    "unparsable, turn 0",
  ],
  [
    "a chunk longer than its size",
    { pieces: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n"] },
    "unparsable, turn 0",
  ],
  [
    "two lengths",
    { pieces: ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab"] },
    "unparsable, turn 0",
  ],
  [
    "a length that isn't a number",
    { pieces: ["HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"] },
    "unparsable, turn 0",
  ],
  [
    "a coding that isn't chunked",
    { pieces: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"] },
    "unparsable, turn 0",
  ],
];

describe("converse", () => {
  for (const [what, script, seen] of REPLIES) {
    it(`records ${what}`, async () => {
      const exchanges = await ask([script]);
      assert.deepEqual(exchanges.map(summary), [seen]);
    });
  }

  it("keeps one connection for several requests", async () => {
    const turns = (await ask([{ pieces: [OK] }], [GET, GET, GET])).map(({ turn }) => turn);
    assert.deepEqual(turns, [0, 1, 2]);
  });

  for (const head of ["HTTP/1.1 200 OK\r\nConnection: close\r\n", "HTTP/1.0 200 OK\r\n"]) {
    it(`goes on with a new connection after ${JSON.stringify(head)}`, async () => {
      const script = { pieces: [`${head}Content-Length: 2\r\n\r\nok`], ending: "close" } as const;
      const turns = (await ask([script], [GET, GET])).map(({ turn }) => turn);
      assert.deepEqual(turns, [0, 0]);
    });
  }

  it("reads no body after HEAD, whatever its length says, and the next answer is its own", async () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
    const seen = await ask([{ pieces: [head] }, { pieces: [OK] }], [get("/", [], "HEAD"), GET]);
    assert.deepEqual(seen.map(summary), [`200 none 0 "", turn 0`, `200 length 0 "ok", turn 1`]);
  });

  it("counts a body after HEAD as trailing", async () => {
    const [head] = await ask([{ pieces: [OK] }], [get("/", [], "HEAD")]);
    assert.equal(head?.trailingBytes, 2);
  });

  it("ends at a server that never answers, and asks it nothing more", async () => {
    const exchanges = await ask([{ pieces: ["HTTP/1.1 200 OK\r\n"] }], [GET, GET], 50);
    assert.deepEqual(exchanges.map(summary), ["timeout, turn 0"]);
  });

  it("records a refused connection", async () => {
    const port = await withServer([], async (target) => target.port);
    const settings = { timeoutMs: 5_000, signal: new AbortController().signal };
    const exchanges = await converse({ host: "127.0.0.1", port }, [GET, GET], settings);
    assert.deepEqual(exchanges.map(summary), ["refused, turn 0"]);
  });

  it("ends when its signal does", async () => {
    const exchanges = await withServer([{ pieces: [] }], (target) =>
      converse(target, [GET, GET], { timeoutMs: 60_000, signal: AbortSignal.timeout(20) }),
    );
    assert.deepEqual(exchanges.map(summary), ["aborted, turn 0"]);
  });

  it("keeps headers as they came, in order, and whole times around the answer", async () => {
    const before = Date.now();
    const [exchange] = await ask([
      { pieces: ["HTTP/1.1 200 OK\r\nX-A: 1 \r\nx-a:2\r\nContent-Length: 0\r\n\r\n"] },
    ]);
    assert.ok(exchange?.outcome.kind === "reply");
    assert.deepEqual(exchange.outcome.reply.headers, [
      ["X-A", "1"],
      ["x-a", "2"],
      ["Content-Length", "0"],
    ]);
    assert.ok(
      before <= exchange.sentAtMs &&
        exchange.sentAtMs <= exchange.endedAtMs &&
        exchange.endedAtMs <= Date.now(),
    );
  });
});
