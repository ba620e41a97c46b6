/** The browser process and its display, for real: what is there while they run, and what is left of them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { markRun, type RunMark } from "../harness/mark.ts";
import { listProcesses, processesWithEnv, readProc } from "../harness/proc.ts";
import { askXServer } from "../harness/x-server.ts";
import { assertChromium, launchBrowser, type OpenBrowser } from "./chromium.ts";
import { type Display, openDisplay } from "./display.ts";
import { preflight } from "./preflight.ts";
import { startFront } from "./proxy/front.ts";

const PLAN = { headed: true, viewport: { width: 1440, height: 900 } };

/** Runs `work` with these variables of the environment set, or not there. */
async function withEnv<T>(env: Record<string, string | undefined>, work: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  const set = (values: Record<string, string | undefined>): void => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  set(env);
  try {
    return await work();
  } finally {
    set(before);
  }
}

/** A display of our own, whatever the machine has. */
const virtualDisplay = (mark: RunMark): Promise<Display> =>
  withEnv({ DISPLAY: undefined }, () => openDisplay(true, mark));

async function open(mark: RunMark, display: Display, spkiHash = "none"): Promise<OpenBrowser> {
  return await launchBrowser({ display, plan: PLAN, spkiHash, mark });
}

async function aborted(signal: AbortSignal): Promise<{ readonly code?: string }> {
  if (!signal.aborted) await once(signal, "abort");
  return signal.reason;
}

const others = (mark: Pick<RunMark, "entry">): number[] =>
  processesWithEnv(mark.entry).filter((pid) => pid !== process.pid);

/** The first word of a command line that begins so; what follows it. */
function wordOf(pid: number, beginning: string): string | undefined {
  const words = readProc(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
  return words.find((word) => word.startsWith(beginning))?.slice(beginning.length);
}

/** The browser's own process, and the folder that names all of its processes: not all of them show their environment. */
function browserOf(mark: Pick<RunMark, "entry">): { readonly pid: number; readonly profile: string } {
  for (const pid of others(mark)) {
    const profile = wordOf(pid, "--user-data-dir=");
    if (profile !== undefined && wordOf(pid, "--type=") === undefined) return { pid, profile };
  }
  throw new RangeError("no browser runs");
}

const processesNaming = (profile: string): number[] =>
  listProcesses().filter((pid) => readProc(`/proc/${pid}/cmdline`)?.includes(profile));

/** Ends with its test's time where it never comes true. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(20);
}

async function withProgram(
  name: string,
  script: string,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "browser-smoke-"));
  try {
    await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

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
      assert.ok((await preflight(browser, 1)) > 0);
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
    const { profile } = browserOf(mark);
    assert.ok(processesNaming(profile).length > 1);
    assert.ok(existsSync(profile));
    assert.equal((await askXServer(number)).status, "there");
    await browser[Symbol.asyncDispose]();
    assert.deepEqual(processesNaming(profile), []);
    assert.equal(existsSync(profile), false);
    await display[Symbol.asyncDispose]();
    assert.equal((await askXServer(number)).status, "none");
    assert.deepEqual(others(mark), []);
    assert.equal(browser.gone.aborted, false);
    assert.equal(display.gone.aborted, false);
  });

  test("nothing runs on where the run itself is killed", { timeout: 60_000 }, async () => {
    // Its files are nobody's to remove then.
    const folder = await mkdtemp(path.join(os.tmpdir(), "browser-smoke-"));
    const holder = execa(process.execPath, [path.join(import.meta.dirname, "test", "holder.ts")], {
      env: { DISPLAY: "", TMPDIR: folder },
      reject: false,
    });
    try {
      const [piece] = (await once(holder.stdout, "data")) as [Buffer];
      const [entry = "", number = ""] = piece.toString().trim().split(" ");
      const { profile } = browserOf({ entry });
      assert.equal((await askXServer(number)).status, "there");
      holder.kill("SIGKILL");
      await until(() => others({ entry }).length === 0 && processesNaming(profile).length === 0);
      assert.equal((await askXServer(number)).status, "none");
    } finally {
      holder.kill("SIGKILL");
      await holder;
      await rm(folder, { recursive: true });
    }
  });

  for (const [what, pidOf] of [
    ["a browser", async (_: OpenBrowser, mark: RunMark) => browserOf(mark).pid],
    ["a page's renderer", (browser: OpenBrowser) => browser.rendererPid()],
  ] as const) {
    test(`${what} that is killed says so`, async () => {
      await using mark = markRun();
      await using display = await virtualDisplay(mark);
      await using browser = await open(mark, display);
      process.kill(await pidOf(browser, mark), "SIGKILL");
      assert.equal((await aborted(browser.gone)).code, "browser-gone");
    });
  }

  test("a display that is killed says so, and is why its browser is gone or doesn't start", async () => {
    await using mark = markRun();
    await using display = await virtualDisplay(mark);
    const [pid] = others(mark);
    assert.ok(pid !== undefined);
    await using browser = await open(mark, display);
    process.kill(pid, "SIGKILL");
    assert.equal((await aborted(display.gone)).code, "display-gone");
    assert.equal((await aborted(browser.gone)).code, "display-gone");
    await assert.rejects(open(mark, display), { code: "display-gone" });
  });

  test("a display at less than the frames asked for is refused", async () => {
    await using mark = markRun();
    await using display = await virtualDisplay(mark);
    await using browser = await open(mark, display);
    await assert.rejects(preflight(browser, 100_000), { code: "slow-display" });
  });

  test("a page that doesn't come to the front is refused", async () => {
    await using mark = markRun();
    await using display = await virtualDisplay(mark);
    await using browser = await open(mark, display);
    const { page, cdp } = browser;
    await (await page.context().newPage()).bringToFront();
    const behind: typeof page = Object.create(page, { bringToFront: { value: async () => undefined } });
    await assert.rejects(preflight({ page: behind, cdp }, 1), { code: "hidden-page" });
    assert.ok((await preflight(browser, 1)) > 0, "and once it does, it isn't");
  });

  test("a virtual display that doesn't start says why", async () => {
    await using mark = markRun();
    await withProgram("Xvfb", 'echo "(EE) no room" >&2; echo "(EE) " >&2; exit 1', async (folder) => {
      const env = { DISPLAY: undefined, PATH: `${folder}:${process.env.PATH}` };
      await withEnv(env, async () => {
        await assert.rejects(openDisplay(true, mark), { code: "no-display", message: /no room/ });
      });
    });
  });

  test("a browser that is too old is refused by what it says of itself", async () => {
    const refused = (said: string, code: string) =>
      withProgram("chromium", said, (folder) =>
        withEnv({ CHROMIUM_PATH: path.join(folder, "chromium") }, () =>
          assert.rejects(assertChromium(), { code }),
        ),
      );
    await refused("echo Chromium 110.0.5481.177", "browser-too-old");
    await refused("exit 1", "no-browser");
    await assertChromium();
  });
});
