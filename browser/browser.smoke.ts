/** The browser process and its display, for real: what is there while they run, and what is left of them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { markRun, type RunMark } from "../harness/mark.ts";
import { processesWithEnv } from "../harness/proc.ts";
import { askXServer } from "../harness/x-server.ts";
import { launchBrowser, type OpenBrowser } from "./chromium.ts";
import { type Display, openDisplay } from "./display.ts";
import { preflight } from "./preflight.ts";
import { startFront } from "./proxy/front.ts";

const PLAN = { headed: true, viewport: { width: 1440, height: 900 } };

/** A display of our own, whatever the machine has. */
async function virtualDisplay(mark: RunMark): Promise<Display> {
  const named = process.env.DISPLAY;
  delete process.env.DISPLAY;
  try {
    return await openDisplay(true, mark);
  } finally {
    if (named !== undefined) process.env.DISPLAY = named;
  }
}

async function open(mark: RunMark, display: Display, spkiHash = "none"): Promise<OpenBrowser> {
  return await launchBrowser({ display, plan: PLAN, spkiHash, mark });
}

async function aborted(signal: AbortSignal): Promise<{ readonly code?: string }> {
  if (!signal.aborted) await once(signal, "abort");
  return signal.reason;
}

const others = (mark: RunMark): number[] => processesWithEnv(mark.entry).filter((pid) => pid !== process.pid);

describe("the browser and its display", { concurrency: 1 }, () => {
  test("a page over HTTP/2, in the foreground, at a person's frame rate, by its own renderer", async () => {
    const server = http
      .createServer((_, response) => response.setHeader("content-type", "text/html").end("<title>x</title>"))
      .listen(0, "127.0.0.1");
    await once(server, "listening");
    await using mark = markRun();
    try {
      const { port } = server.address() as AddressInfo;
      await using front = await startFront({ host: "127.0.0.1", port });
      await using display = await virtualDisplay(mark);
      await using browser = await open(mark, display, front.spkiHash);
      assert.ok((await preflight(browser.page, 1)) > 0);
      await browser.page.goto(front.origin);
      const protocol = await browser.page.evaluate(
        () => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).nextHopProtocol,
      );
      assert.equal(protocol, "h2");
      const command = readFileSync(`/proc/${await browser.rendererPid()}/cmdline`, "utf8");
      assert.match(command, /--type=renderer/);
      assert.match(browser.facts.version, /^Chrom\w+\/\d+\./);
      assert.ok(browser.facts.switches.length > 0);
      assert.match(display.facts.description, /Xvfb \d/);
    } finally {
      server.close();
    }
  });

  test("nothing is left of either", async () => {
    await using mark = markRun();
    const display = await virtualDisplay(mark);
    const number = String(display.env.DISPLAY);
    const browser = await open(mark, display);
    assert.equal((await askXServer(number)).status, "there");
    await browser[Symbol.asyncDispose]();
    await display[Symbol.asyncDispose]();
    assert.equal((await askXServer(number)).status, "none");
    assert.deepEqual(others(mark), []);
    assert.equal(browser.gone.aborted, false);
    assert.equal(display.gone.aborted, false);
  });

  test("a browser that is killed says so", async () => {
    await using mark = markRun();
    await using display = await virtualDisplay(mark);
    await using browser = await open(mark, display);
    process.kill(await browser.rendererPid(), "SIGKILL");
    assert.equal((await aborted(browser.gone)).code, "browser-gone");
  });

  test("a display that is killed says so", async () => {
    await using mark = markRun();
    await using display = await virtualDisplay(mark);
    const [pid] = others(mark);
    assert.ok(pid !== undefined);
    process.kill(pid, "SIGKILL");
    assert.equal((await aborted(display.gone)).code, "display-gone");
  });

  test("a display at less than the frames asked for is refused, and so is a hidden page", async () => {
    await using mark = markRun();
    await using display = await virtualDisplay(mark);
    await using browser = await open(mark, display);
    await assert.rejects(preflight(browser.page, 100_000), { code: "slow-display" });
  });
});
