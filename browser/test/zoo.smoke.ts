/** Pages whose client has one fault each, which must be seen at its step, in its words. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { markRun, type RunMark } from "../../harness/mark.ts";
import type { BrowserPlan, BrowserVisit, ReadyCheck } from "../../report/browser/schema.ts";
import { openZoo, type Zoo } from "../../runner/test/zoo.ts";
import { CLIENT_FAULTS } from "../../servers/_zoo/faults/client.ts";
import { SLY_CLIENT_FAULTS } from "../../servers/_zoo/faults/client-sly.ts";
import { type Display, openDisplay } from "../display.ts";
import { makeBrowserPlan } from "../plan.ts";
import { checkReadyOf, type ReadyCheckRequest } from "../ready-check.ts";
import { visitInBrowser } from "../visit.ts";
import { realPorts } from "../world.ts";

/** A fault, the number of the step that it is seen at, and what one of its problems has to read: `rule: seen`. */
const AT_A_STEP: readonly (readonly [fault: string, step: number, seen: RegExp])[] = [
  ["never-hydrated", 1, /^ready: none/],
  ["items-rendered-anew", 1, /^items-kept: 0/],
  ["titles-twice", 1, /^titles-afterReady: 200/],
  ["titles-change", 1, /^title: .*\(seen\)/],
  ["items-invisible", 1, /^visible: a .*checkVisibility/],
  ["title-as-markup", 4, /^title: /],
  ["neighbour-toggled", 6, /^completed: /],
  ["shows-empty-for-a-while", 5, /^item-count: 104/],
  ["stuck-on-toggle", 6, /^act: .*Timeout/],
  ["focus-lost", 10, /^focus: /],
  ["escape-saves", 12, /^title: .*Never saved/],
  ["reload-on-filter", 17, /^same-document: /],
  ["history-broken", 21, /^(?:filter|item-count): /],
  ["clear-forgets-one", 29, /^item-count: 98/],
  ["cleared-come-back", 29, /^item-count: 98/],
];

/** Faults that aren't of a step. */
const BESIDE: readonly (readonly [fault: string, seen: RegExp])[] = [
  ["data-before-ready", /^data-before-ready: Fetch/],
  ["data-preloaded", /^data-before-ready: Other/],
  ["console-error", /^console: Hydration failed/],
  ["failed-asset", /^request-status: Image .*404/],
  ["page-error", /^page-error: .*nobody handles this/],
];

/** Faults that only the extra visit shows: a person's first click comes later than the ready mark, and a measured visit looks later than the parser. */
const AT_READY: readonly (readonly [fault: string, seen: RegExp])[] = [
  ["ready-before-handlers", /^at-ready-completed: /],
  ["last-item-late", /^at-ready-completed: /],
  ["items-rendered-while-parsed", /^items-replaced: 99/],
];

/** Pages of which nothing can be said but that they are lost. */
const LOST: readonly (readonly [fault: string, message: RegExp])[] = [
  ["reload-after-ready", /another document by itself/],
  ["stuck-at-ready", /hasn't answered for \d+ s/],
];

/** Right, but for a mark that says an earlier time than its own: it isn't believed. */
const BACKDATED = "ready-backdated";
/** Right, all of them, and slow. */
const LATE = "answers-late";

const plan: BrowserPlan = {
  ...makeBrowserPlan(
    { official: false, filtered: true, headed: false, responseMode: "progressive" },
    ["zoo"],
    7,
  ),
  readyLimitMs: 3_000,
  actLimitMs: 2_000,
};

interface Park {
  readonly zoo: Zoo;
  readonly mark: RunMark;
  readonly display: Display;
}

describe("the zoo in the browser", { concurrency: 2 }, () => {
  const held = new AsyncDisposableStack();
  let park: Park;
  before(async () => {
    const zoo = held.use(await openZoo());
    const mark = held.use(markRun());
    // Windows side by side on one display would take the focus from each other.
    park = { zoo, mark, display: held.use(await openDisplay(false, mark)) };
  });
  after(() => held.disposeAsync());

  /** Servers of visits side by side have a mark each: a stop ends whatever carries it. */
  async function onServer<T>(
    fault: string | null,
    use: (request: ReadyCheckRequest) => Promise<T>,
  ): Promise<T> {
    await using serverMark = markRun();
    const { display, mark } = park;
    const ports = realPorts({ plan, mark, serverMark, display, runName: "zoo", onStage: () => undefined });
    const { signal } = new AbortController();
    return await use({ built: park.zoo.adapter(fault), plan, ports, signal });
  }
  const visit = (fault: string | null): Promise<BrowserVisit> =>
    onServer(fault, (request) =>
      visitInBrowser({ ...request, planned: { adapter: "zoo", round: 1, stepSeed: 7 } }),
    );
  const check = (fault: string | null): Promise<ReadyCheck> => onServer(fault, checkReadyOf);

  test("a right page is right, and so is its ready mark", async () => {
    const right = await visit(null);
    assert.equal(right.status, "right", JSON.stringify(right));
    assert.deepEqual(await check(null), { status: "right", adapter: "zoo" });
  });

  for (const [fault, n, seen] of AT_A_STEP) {
    test(`${fault}: wrong at step ${n}`, async () => {
      const wrong = await visit(fault);
      assert.equal(wrong.status, "wrong", JSON.stringify(wrong));
      assert.ok(wrong.status === "wrong");
      const step = wrong.steps.find(({ problems }) => problems.length > 0);
      assert.equal(step?.n, n, JSON.stringify(step));
      const words = step?.problems.map((one) => `${one.rule}: ${one.seen}`) ?? [];
      assert.ok(
        words.some((one) => seen.test(one)),
        words.join("\n"),
      );
      assert.ok(wrong.keptIn !== null);
    });
  }

  for (const [fault, seen] of BESIDE) {
    test(`${fault}: wrong beside the steps`, async () => {
      const wrong = await visit(fault);
      assert.ok(wrong.status === "wrong", JSON.stringify(wrong));
      const words = wrong.problems.map((one) => `${one.rule}: ${one.seen}`);
      assert.ok(
        words.some((one) => seen.test(one)),
        words.join("\n"),
      );
    });
  }

  for (const [fault, seen] of AT_READY) {
    test(`${fault}: wrong in the ready check`, async () => {
      const wrong = await check(fault);
      assert.ok(wrong.status === "wrong", JSON.stringify(wrong));
      const words = wrong.problems.map((one) => `${one.rule}: ${one.seen}`);
      assert.ok(
        words.some((one) => seen.test(one)),
        words.join("\n"),
      );
    });
  }

  for (const [fault, message] of LOST) {
    test(`${fault}: lost, and nobody waits for it`, async () => {
      const lost = await visit(fault);
      assert.ok(lost.status === "failed", JSON.stringify(lost));
      assert.deepEqual([lost.failure.stage, lost.failure.code], ["open", "page-lost"]);
      assert.match(lost.failure.message, message);
      assert.ok(lost.keptIn !== null);
    });
  }

  test(`${BACKDATED}: right, and ready when the mark was set`, async () => {
    const right = await visit(BACKDATED);
    assert.ok(right.status === "right", JSON.stringify(right));
    const { ttfbMs, readyMs } = right.metrics;
    // The mark says one millisecond, and no page is ready before its first byte.
    assert.ok((readyMs ?? 0) > (ttfbMs ?? 0) && (readyMs ?? 0) > 1, JSON.stringify(right.metrics));
  });

  test(`${LATE}: right, and its times show it`, async () => {
    const right = await visit(LATE);
    assert.ok(right.status === "right", JSON.stringify(right));
    // Half a second is in the page's own clock: how fast the machine is can only add to it.
    for (const n of [6, 15, 17, 26]) assert.ok((right.steps[n - 1]?.ms ?? 0) >= 500, `step ${n}`);
  });

  test("every fault has its case", () => {
    const cases = [...AT_A_STEP, ...BESIDE, ...AT_READY, ...LOST].map(([fault]) => fault);
    const faults = Object.keys({ ...CLIENT_FAULTS, ...SLY_CLIENT_FAULTS });
    assert.deepEqual([...cases, LATE, BACKDATED].sort(), faults.sort());
  });
});
