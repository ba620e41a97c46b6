/** A visit's stages in their order, and what becomes of it where something fails: with fakes behind its ports. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BuiltAdapter } from "../harness/build.ts";
import { BenchError, type ErrorCode } from "../harness/errors.ts";
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
  readonly display: AbortController;
  readonly interruption: AbortController;
}

function world(changes: Partial<BrowserPorts> = {}): World {
  const events: string[] = [];
  const product = new AbortController();
  const browser = new AbortController();
  const display = new AbortController();
  const interruption = new AbortController();
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
    displayGone: display.signal,
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
  return { request, events, product, browser, display, interruption };
}

const error = (code: ErrorCode): BenchError =>
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
    ["display", "display-gone"],
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
      assert.equal(visit.keptIn, "results/failures/x/one-round-2");
      assert.ok(it.events.indexOf("kept one-round-2") < it.events.indexOf("-browser"));
    });
  }

  test("that goes on behind its failure begins no stage any more", async () => {
    const it = world();
    const visit = await visitInBrowser(it.request, async ({ onStage }) => {
      onStage("steps");
      it.product.abort(error("server-exit"));
      await new Promise((resolve) => setImmediate(resolve));
      onStage("metrics");
      return WALKED;
    });
    assert.ok(visit.status === "failed");
    assert.deepEqual([visit.failure.stage, visit.failure.code], ["steps", "server-exit"]);
    assert.ok(!it.events.includes("metrics"));
  });

  test("whose page is gone waits for the reason before it is judged", async () => {
    const it = world();
    const open = it.request.ports.launchBrowser;
    const whetherGone = async (): Promise<void> => it.browser.abort(error("display-gone"));
    const launchBrowser = async (hash: string) => ({ ...(await open(hash)), whetherGone });
    const ports = { ...it.request.ports, launchBrowser };
    for (const walk of [async () => WALKED, () => Promise.reject(new Error("Target closed"))]) {
      const visit = await visitInBrowser({ ...it.request, ports }, walk);
      assert.ok(visit.status === "failed");
      assert.equal(visit.failure.code, "display-gone");
    }
  });

  for (const [port, stage, released] of [
    ["startProduct", "start", []],
    ["startFront", "launch", ["-server"]],
    ["launchBrowser", "launch", ["-front", "-server"]],
    ["preflight", "preflight", ["-browser", "-front", "-server"]],
    ["listen", "preflight", ["-browser", "-front", "-server"]],
  ] as const) {
    test(`whose ${port} fails is failed in ${stage}, and what was there is released`, async () => {
      const it = world({ [port]: async () => Promise.reject(error("internal")) });
      const visit = await visitInBrowser(it.request, async () => assert.fail("it was opened"));
      assert.ok(visit.status === "failed");
      assert.deepEqual([visit.failure.stage, visit.failure.code], [stage, "internal"]);
      assert.deepEqual(
        it.events.filter((event) => event.startsWith("-")),
        released,
      );
    });
  }

  for (const port of ["startProduct", "startFront", "launchBrowser"] as const) {
    test(`whose ${port} fails because the display is gone is failed by that`, async () => {
      const it = world({
        [port]: async () => {
          it.display.abort(error("display-gone"));
          throw error("browser-gone");
        },
      });
      const visit = await visitInBrowser(it.request, async () => assert.fail("it was opened"));
      assert.ok(visit.status === "failed");
      assert.equal(visit.failure.code, "display-gone");
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
