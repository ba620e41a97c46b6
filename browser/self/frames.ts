/** How many frames a second a page has where the browser run shows it. */
import { findChromium } from "../../harness/chromium.ts";
import { BenchError } from "../../harness/errors.ts";
import { markRun, type RunMark } from "../../harness/mark.ts";
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { medianFigure, type Target } from "../../report/self/findings.ts";
import { launchBrowser } from "../chromium.ts";
import { type Display, openDisplay } from "../display.ts";
import { preflight } from "../preflight.ts";
import { onAllCpus } from "./cpus.ts";

const DEFAULT_ROUNDS = 10;
/** The preflight's frames, and bringing the page to the front. */
const ROUND_MS = 600;
const STARTS_MS = 4_000;
const VIEWPORT = { width: 1440, height: 900 };
/** Of a virtual display: one of a person's may have another rate. */
const SIXTY: Target = { kind: "within", centre: 60, tolerance: 2, of: "value", belowSteal: null };

/** Its finding: frames a second. Skipped where there is no browser, or no display and none that can be started. */
export const frames: SelfBenchmark = {
  name: "frames",
  about: "frames a second of a page under the display of the browser run",
  suspects: "the display, or a browser that draws without help of a graphics card on too few CPUs",
  needs: [],
  expectedMs: ({ rounds = DEFAULT_ROUNDS }) => STARTS_MS + rounds * ROUND_MS,
  run: (context) => onAllCpus(context.cpus, () => run(context)),
};

async function run(context: SelfContext): Promise<SelfRun> {
  if (findChromium() === null) return { status: "skipped", reason: "there is no Chromium or Chrome" };
  await using mark = markRun();
  const display = await displayIfAny(mark);
  if (display === null) return { status: "skipped", reason: "there is no display, and no Xvfb to start one" };
  await using _ = display;
  return await countFrames(display, mark, context);
}

async function displayIfAny(mark: RunMark): Promise<Display | null> {
  try {
    return await openDisplay(true, mark);
  } catch (error) {
    if (error instanceof BenchError && error.code === "no-display") return null;
    throw error;
  }
}

async function countFrames(display: Display, mark: RunMark, context: SelfContext): Promise<SelfRun> {
  const { rounds = DEFAULT_ROUNDS, signal, onStep } = context;
  onStep("the browser starts");
  await using browser = await launchBrowser({
    display,
    plan: { headed: true, viewport: VIEWPORT },
    spkiHash: "none",
    mark,
  });
  const readings: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    signal.throwIfAborted();
    onStep(`round ${round} of ${rounds}`);
    readings.push(await preflight(browser, 1));
  }
  const target = display.facts.kind === "virtual" ? SIXTY : null;
  return {
    status: "measured",
    findings: {
      subject: `half a second of an empty page each time, on ${display.facts.description} (${display.facts.kind}), by ${browser.facts.version} (rounds: ${rounds})`,
      figures: [medianFigure("frames", "/s", readings, target)],
      othersShares: [],
    },
  };
}
