/** Every adapter's page while it is still on its way: whatever is hydrated before its end, the visit is right. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readBuilt } from "../../harness/build.ts";
import { discoverAdapters } from "../../harness/manifest.ts";
import { markRun } from "../../harness/mark.ts";
import { SERVERS_DIR } from "../../harness/project.ts";
import { openDisplay } from "../display.ts";
import type { BrowserPorts } from "../on-product.ts";
import { makeBrowserPlan } from "../plan.ts";
import { startFront } from "../proxy/front.ts";
import { visitInBrowser } from "../visit.ts";
import { realPorts } from "../world.ts";
import { startPacer } from "./pacer.ts";

/** Nearly half a second for a page of 60 KB. */
const PACE = { pieceBytes: 4_096, delayMs: 30 };
/** No page can be ready before most of its list is there: by that it shows that the pacing was in force. */
const LEAST_ARRIVAL_MS = 200;

const adapters = await discoverAdapters(SERVERS_DIR);
const plan = makeBrowserPlan(
  { official: false, filtered: true, headed: true, responseMode: "progressive" },
  adapters.map(({ id }) => id),
  7,
);

const startFrontPaced: BrowserPorts["startFront"] = async (target) => {
  const pacer = await startPacer(target, PACE);
  const front = await startFront(pacer.target);
  return {
    ...front,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await pacer[Symbol.asyncDispose]();
    },
  };
};

describe("a page that takes its time to arrive", { concurrency: 1 }, () => {
  for (const manifest of adapters) {
    test(`${manifest.id} is right all the same`, async () => {
      await using mark = markRun();
      await using serverMark = markRun();
      await using display = await openDisplay(plan.headed, mark);
      const ports = {
        ...realPorts({ plan, mark, serverMark, display, runName: "paced", onStage: () => undefined }),
        startFront: startFrontPaced,
      };
      const visit = await visitInBrowser({
        planned: { adapter: manifest.id, round: 1, stepSeed: 7 },
        built: await readBuilt(manifest),
        plan,
        ports,
        signal: new AbortController().signal,
      });
      assert.ok(visit.status === "right", JSON.stringify(visit));
      const { ttfbMs, readyMs } = visit.metrics;
      assert.ok(ttfbMs !== null && readyMs !== null);
      assert.ok(readyMs - ttfbMs >= LEAST_ARRIVAL_MS, `ready ${readyMs - ttfbMs} ms after the first byte`);
    });
  }
});
