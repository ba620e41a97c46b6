import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { get } from "../todo/contract/http.ts";
import { type Misbehaviour, misbehave, sendAtOnce } from "./bad-client.ts";
import { OK, type Script, withServer } from "./test/scripted-server.ts";

const SETTINGS = { timeoutMs: 5_000, signal: new AbortController().signal };
const LONG = `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${"x".repeat(100_000)}`;
const SLOWLY = { kind: "slow-reader", pauseMs: 1, pauses: 3 } as const;

describe("misbehave", () => {
  const act = (script: Script, how: Misbehaviour) =>
    withServer([script], (target) => misbehave(target, "/", how, SETTINGS));

  for (const afterBytes of [0, 1, 50_000]) {
    it(`hangs up at byte ${afterBytes}`, async () => {
      const { complete } = await act({ pieces: [LONG.slice(0, -1)] }, { kind: "hang-up", afterBytes });
      assert.equal(complete, false);
    });
  }

  it("reads slowly, and has the whole answer in the end", async () => {
    assert.equal((await act({ pieces: [LONG] }, SLOWLY)).complete, true);
  });

  it("tells a slow reader's answer that was cut short", async () => {
    assert.equal((await act({ pieces: [LONG.slice(0, -1)], ending: "close" }, SLOWLY)).complete, false);
  });

  for (const part of ["head", "body"] as const) {
    it(`sends half a ${part} until it is told to end`, async () => {
      const { complete } = await act(
        { pieces: [OK] },
        { kind: "half-request", part, meanwhile: async () => {} },
      );
      assert.equal(complete, false);
    });
  }
});

describe("sendAtOnce", () => {
  const GETS = [get("/1"), get("/2"), get("/3")];
  const hear = async (script: Script, timeoutMs = 5_000): Promise<string> => {
    const { replies, ending } = await withServer([script], (target) =>
      sendAtOnce(target, GETS, { ...SETTINGS, timeoutMs }),
    );
    return `${replies.map(({ status }) => status).join(" ")} ${ending}`.trim();
  };

  const cases: readonly (readonly [what: string, script: Script, heard: string])[] = [
    ["all answers in one piece", { pieces: [OK.repeat(3)] }, "200 200 200 answered"],
    ["all answers, byte by byte", { pieces: [...OK.repeat(3)] }, "200 200 200 answered"],
    ["a close between two answers", { pieces: [OK.repeat(2)], ending: "close" }, "200 200 closed"],
    ["a close without an answer", { pieces: [], ending: "close" }, "closed"],
    ["a close in an answer", { pieces: [OK, OK.slice(0, -1)], ending: "close" }, "200 cut-short"],
    ["a close in a head", { pieces: [OK, "HTTP/1.1 2"], ending: "close" }, "200 cut-short"],
    [
      "an answer that the close ends",
      { pieces: ["HTTP/1.1 400 No\r\n\r\nno"], ending: "close" },
      "400 closed",
    ],
    ["a reset", { pieces: [], ending: "reset" }, "closed"],
    ["something else than an answer", { pieces: [`${OK}hello\r\n\r\n`] }, "200 unparsable"],
  ];
  for (const [what, script, heard] of cases) {
    it(`hears ${what}`, async () => assert.equal(await hear(script), heard));
  }

  it("ends at a server that never answers", async () => {
    assert.equal(await hear({ pieces: [OK] }, 50), "200 timeout");
  });

  it("tells a server that isn't there", async () => {
    const target = await withServer([], async (gone) => gone);
    assert.deepEqual(await sendAtOnce(target, GETS, SETTINGS), { replies: [], ending: "refused" });
  });

  it("throws its signal's reason", async () => {
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await withServer([{ pieces: [] }], (target) =>
      assert.rejects(sendAtOnce(target, GETS, { ...SETTINGS, signal: stop.signal }), /enough/),
    );
  });
});
