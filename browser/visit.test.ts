/** A visit's stages in their order, and what becomes of it where something fails: with fakes behind its ports. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BuiltAdapter } from "../harness/build.ts";
import { BenchError } from "../harness/errors.ts";
import { STEP_COUNT } from "../report/browser/schema.ts";
import type { OpenBrowser } from "./chromium.ts";
import type { BrowserPorts } from "./on-product.ts";
import { makeBrowserPlan } from "./plan.ts";
import { type VisitRequest, visitInBrowser } from "./visit.ts";
import type { Walked } from "./walk.ts";

const WALKED: Walked = {
  steps: Array.from({ length: STEP_COUNT }, (_, index) => ({ n: index + 1, ms: 1, problems: [] })),
  metrics: {} as Walked["metrics"],
  nullReasons: {},
  titles: { raw: 100, beforeReady: 100, afterReady: 100, later: 100 },
  itemsKept: { sent: 100, kept: 100 },
  protocol: "h2",
  problems: [],
};
const PROBLEM = { rule: "console", expected: "nothing", seen: "something" };

interface World {
  readonly request: VisitRequest;
  /** What was acquired, begun and released, in order. */
  readonly events: string[];
  readonly product: AbortController;
  readonly browser: AbortController;
  readonly interruption: AbortController;
}

function world(changes: Partial<BrowserPorts> = {}): World {
  const events: string[] = [];
  const [product, browser, interruption] = [1, 2, 3].map(() => new AbortController()) as [
    AbortController,
    AbortController,
    AbortController,
  ];
  const released = (what: string) => async () => void events.push(`-${what}`);
  const ports: BrowserPorts = {
    startProduct: async () => ({
      target: { host: "127.0.0.1", port: 1 },
      runtimeVersion: "1.2.3",
      gone: product.signal,
      stop: released("server"),
    }),
    startFront: async () => ({
      origin: "https://127.0.0.1:1",
      spkiHash: "x",
      [Symbol.asyncDispose]: released("front"),
    }),
    launchBrowser: async () =>
      ({
        page: {},
        gone: browser.signal,
        whetherGone: async () => undefined,
        [Symbol.asyncDispose]: released("browser"),
      }) as unknown as OpenBrowser,
    preflight: async () => 60,
    listen: async () => ({ console: [], requests: [] }),
    keepEvidence: async (name) => {
      events.push(`kept ${name}`);
      return `results/failures/x/${name}`;
    },
    displayGone: new AbortController().signal,
    now: () => ({ wall: new Date(0), monotonicMs: events.length }),
    onStage: (stage) => events.push(stage),
    ...changes,
  };
  const built = {
    manifest: { id: "one", runtime: "node", deviations: [] },
    frameworkVersion: "9.9.9",
  } as unknown as BuiltAdapter;
  const plan = makeBrowserPlan(
    { official: false, filtered: true, headed: true, responseMode: "progressive" },
    ["one"],
    1,
  );
  const planned = { adapter: "one", round: 2, stepSeed: 3 };
  const request = { planned, built, plan, ports, signal: interruption.signal };
  return { request, events, product, browser, interruption };
}

const error = (code: "server-exit" | "browser-gone" | "slow-display"): BenchError =>
  new BenchError({ stage: "start", code, message: code, hint: "none" });

describe("a browser visit", () => {
  test("goes through its stages, and releases what it has acquired, last first", async () => {
    const { request, events } = world();
    const visit = await visitInBrowser(request, async ({ onStage }) => {
      for (const stage of ["open", "steps", "metrics"] as const) onStage(stage);
      return WALKED;
    });
    assert.equal(visit.status, "right");
    assert.deepEqual(events, [
      ...["start", "launch", "preflight", "open", "steps", "metrics"],
      ...["close", "-browser", "-front", "stop", "-server"],
    ]);
    assert.ok(visit.status === "right");
    assert.equal(visit.runtimeVersion, "1.2.3");
    assert.equal(visit.framesPerSecond, 60);
    assert.deepEqual(
      visit.timing.stages.map(({ stage }) => stage),
      ["start", "launch", "preflight", "open", "steps", "metrics", "close", "stop"],
    );
  });

  for (const [name, walked] of [
    ["a wrong step", { ...WALKED, steps: WALKED.steps.map((step) => ({ ...step, problems: [PROBLEM] })) }],
    ["a problem beside the steps", { ...WALKED, problems: [PROBLEM] }],
  ] as const) {
    test(`with ${name} is wrong, and its evidence is kept while the browser is there`, async () => {
      const { request, events } = world();
      const visit = await visitInBrowser(request, async () => walked);
      assert.ok(visit.status === "wrong");
      assert.equal(visit.keptIn, "results/failures/x/one-round-2");
      assert.ok(events.indexOf("kept one-round-2") < events.indexOf("-browser"));
    });
  }

  test("that can't walk is failed, with the stage that it came to", async () => {
    const { request, events } = world();
    const visit = await visitInBrowser(request, async ({ onStage }) => {
      onStage("open");
      throw new Error("net::ERR_EMPTY_RESPONSE");
    });
    assert.ok(visit.status === "failed");
    assert.deepEqual([visit.failure.stage, visit.failure.code], ["open", "internal"]);
    assert.match(visit.failure.message, /ERR_EMPTY_RESPONSE/);
    assert.ok(events.includes("kept one-round-2"));
    assert.equal(events.at(-1), "-server");
  });

  for (const [who, code] of [
    ["product", "server-exit"],
    ["browser", "browser-gone"],
  ] as const) {
    test(`whose ${who} dies is failed by that, whatever the page says of it`, async () => {
      const it = world();
      const visit = await visitInBrowser(it.request, async () => {
        it[who].abort(error(code));
        throw new Error("a consequence");
      });
      assert.ok(visit.status === "failed");
      assert.equal(visit.failure.code, code);
      assert.equal(it.events.at(-1), "-server");
    });

    test(`whose ${who} dies in silence doesn't wait for its page`, async () => {
      const it = world();
      const visit = await visitInBrowser(it.request, async () => {
        queueMicrotask(() => it[who].abort(error(code)));
        return await new Promise<never>(() => undefined);
      });
      assert.ok(visit.status === "failed");
      assert.equal(visit.failure.code, code);
    });
  }

  test("whose display is too slow is failed before its page is opened", async () => {
    const it = world({
      preflight: async () => {
        throw error("slow-display");
      },
    });
    const visit = await visitInBrowser(it.request, async () => assert.fail("it was opened"));
    assert.ok(visit.status === "failed");
    assert.deepEqual([visit.failure.stage, visit.failure.code], ["preflight", "slow-display"]);
  });

  test("that is interrupted throws the interruption, and leaves nothing", async () => {
    const it = world();
    const reason = new Error("Ctrl-C");
    const visit = visitInBrowser(it.request, async () => {
      it.interruption.abort(reason);
      return await new Promise<never>(() => undefined);
    });
    await assert.rejects(visit, reason);
    assert.deepEqual(it.events.slice(-4), ["-browser", "-front", "stop", "-server"]);
  });
});
