/** Servers with one fault each, which must be seen before any load: where, with which code, by which rule. */
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { BenchError } from "../../harness/errors.ts";
import type { ResponseMode } from "../../report/schema.ts";
import { launchAndVerify, openZoo, type Zoo } from "./zoo.ts";

const BOTH = ["progressive", "complete"] as const;

/** A fault, the modes that it is tried in, and what one of the problems has to read: `rule: seen`. */
type Case = readonly [fault: string, modes: readonly ResponseMode[], seen: RegExp];

const WRONG_PAGES: readonly Case[] = [
  ["start-timestamp", ["progressive"], /^timestamp-window: /],
  ["late-timestamp", ["complete"], /^timestamp-window: /],
  ["previous-nonce", ["progressive"], /^nonce: /],
  ["99-items", ["complete"], /^item-count: 99/],
  ["101-items", ["progressive"], /^item-count: 101/],
  ["swapped-items", ["complete"], /^item-order: "todo-052"/],
  ["part-too-many", ["progressive"], /^priority: todo-065: "low"/],
  ["part-missing", ["complete"], /^priority: todo-002: null/],
  ["note-escaped-twice", ["progressive"], /^note: .+&amp;/],
  ["note-not-escaped", ["complete"], /^note: /],
];

const REUSED_PAGES: readonly Case[] = [
  ["cached-second", ["progressive"], /^nonce: /],
  ["cached-second-patched", ["complete"], /^timestamp-window: /],
  ["cached-10-ms", ["complete"], /^nonce: /],
  ["cached-10-ms-patched", ["progressive"], /^timestamp-window: /],
  ["rendered-ahead", ["complete"], /^timestamp-window: /],
  ["shared-state", BOTH, /^nonce: /],
  ["stale-data", ["progressive"], /^stale-data: /],
];

const WRONG_REPLIES: readonly Case[] = [
  ["bad-gateway-after-start", ["progressive"], /^status: 502/],
  ["connection-close", BOTH, /^keep-alive: .*closed/i],
  ["gzip-when-offered", BOTH, /^identity: "gzip"/],
  ["not-modified", ["progressive"], /^status: 304/],
  ["etag", ["complete"], /^validators: /],
  ["plain-text", ["progressive"], /^content-type: "text\/plain/],
  ["cacheable", ["complete"], /^no-store: "max-age=1"/],
  ["complete-without-length", ["complete"], /^complete: chunked/],
  ["progressive-with-length", ["progressive"], /^progressive: length/],
];

const BROKEN_WIRES: readonly Case[] = [
  ["cut-by-fin-after-start", BOTH, /^no-answer: closed-in-body/],
  ["cut-by-rst-after-start", BOTH, /^no-answer: reset/],
  ["no-document-end", BOTH, /^sentinel: /],
  ["no-framing", BOTH, /^(progressive|complete): until-close/],
  ["no-terminator-after-start", ["progressive"], /^no-answer: timeout/],
  ["early-hints", ["progressive"], /^interim: 103/],
  ["two-replies", ["complete"], /^trailing: \d+ bytes/],
  ["garbage-after-start", ["complete"], /^no-answer: unparsable/],
  ["silent-after-start", ["progressive"], /^no-answer: timeout/],
  ["byte-a-second-after-start", ["complete"], /^no-answer: timeout/],
];

/** A fault in all replies from the first on, so that the launch never sees a whole right one, and what it says. */
const NEVER_STARTED: readonly Case[] = [
  ["bad-gateway", ["progressive"], /the last: status 502/],
  ["cut-by-fin", BOTH, /the last: aborted/],
  ["cut-by-rst", BOTH, /the last: (?:aborted|read ECONNRESET)/],
  ["no-terminator", ["progressive"], /the last: hadn't ended/],
  ["garbage", ["complete"], /the last: Parse Error/],
  ["silent", ["progressive"], /the last: hadn't ended/],
  ["byte-a-second", ["complete"], /the last: hadn't ended/],
];
const START_LIMIT_MS = 2_000;

describe("the zoo before the load", { concurrency: 2 }, () => {
  let zoo: Zoo;
  before(async () => {
    zoo = await openZoo();
  });
  after(() => zoo[Symbol.asyncDispose]());

  for (const mode of BOTH) {
    test(`without a fault, ${mode}: keeps the whole contract`, async () => {
      const { problems } = await launchAndVerify(zoo.adapter(null), mode, { depth: "full" });
      assert.deepEqual(problems, []);
    });
  }

  for (const [fault, modes, seen] of [...WRONG_PAGES, ...REUSED_PAGES, ...WRONG_REPLIES, ...BROKEN_WIRES]) {
    for (const mode of modes) {
      test(`${fault}, ${mode}: the contract, ${seen}`, async () => {
        const { problems } = await launchAndVerify(zoo.adapter(fault), mode);
        const lines = problems.map((problem) => `${problem.rule}: ${problem.seen}`);
        assert.ok(
          lines.some((line) => seen.test(line)),
          lines.join("\n") || "nothing was seen",
        );
      });
    }
  }

  for (const [fault, modes, said] of NEVER_STARTED) {
    for (const mode of modes) {
      test(`${fault}, ${mode}: start, start-timeout, ${said}`, async () => {
        const launching = launchAndVerify(zoo.adapter(fault), mode, { startLimitMs: START_LIMIT_MS });
        await assert.rejects(launching, (error) => {
          assert.ok(error instanceof BenchError, String(error));
          assert.deepEqual([error.stage, error.code], ["start", "start-timeout"]);
          assert.match(error.message, said);
          return true;
        });
      });
    }
  }

  test("asks-elsewhere, progressive: the contract, outbound", async () => {
    const peer = net.createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(peer, "listening");
    try {
      const { port } = peer.address() as net.AddressInfo;
      const built = zoo.adapter("asks-elsewhere");
      const manifest = { ...built.manifest, env: { ZOO_PEER: String(port) } };
      const { problems } = await launchAndVerify({ ...built, manifest }, "progressive");
      assert.deepEqual(
        problems.map(({ rule, seen }) => `${rule}: ${seen}`),
        [`outbound: one to port ${port}`],
      );
    } finally {
      peer.close();
    }
  });
});
