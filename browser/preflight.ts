/** Whether a page is shown as a person would see it: before anything is measured, and before every visit. */
import type { CDPSession } from "playwright-core";
import { BenchError } from "../harness/errors.ts";
import type { OpenBrowser } from "./chromium.ts";

/** Frames over which the rate is taken: half a second of a display at 60 Hz. */
const FRAMES = 30;
/** A display that has shown fewer frames by then is judged by those. */
const LIMIT_MS = 3_000;

/**
 * Brings the page to the front and counts its frames.
 * @returns frames a second
 * @throws BenchError `hidden-page` where the page isn't in the foreground, `slow-display` where it has fewer frames
 */
export async function preflight(
  { page, cdp }: Pick<OpenBrowser, "page" | "cdp">,
  leastFramesPerSecond: number,
): Promise<number> {
  await page.bringToFront();
  const seen = await asItIs(cdp, () => page.evaluate(countFrames, { frames: FRAMES, limitMs: LIMIT_MS }));
  if (seen.visibility !== "visible" || !seen.focused) throw hiddenPage(seen.visibility);
  if (seen.framesPerSecond < leastFramesPerSecond)
    throw slowDisplay(seen.framesPerSecond, leastFramesPerSecond);
  return seen.framesPerSecond;
}

/** Playwright tells every page that it is in front and has the focus, whether or not that is so. */
async function asItIs<T>(cdp: CDPSession, look: () => Promise<T>): Promise<T> {
  await cdp.send("Emulation.setFocusEmulationEnabled", { enabled: false });
  try {
    return await look();
  } finally {
    await cdp.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  }
}

/** Runs in the page. */
async function countFrames({ frames, limitMs }: { readonly frames: number; readonly limitMs: number }) {
  const times = await new Promise<number[]>((resolve) => {
    const seen: number[] = [];
    const limit = setTimeout(() => resolve(seen), limitMs);
    const onFrame = (timeMs: number): void => {
      seen.push(timeMs);
      if (seen.length <= frames) requestAnimationFrame(onFrame);
      else {
        clearTimeout(limit);
        resolve(seen);
      }
    };
    requestAnimationFrame(onFrame);
  });
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    visibility: document.visibilityState,
    focused: document.hasFocus(),
    framesPerSecond: spanMs > 0 ? ((times.length - 1) * 1000) / spanMs : 0,
  };
}

function hiddenPage(visibility: string): BenchError {
  return new BenchError({
    stage: "preflight",
    code: "hidden-page",
    message: `the page isn't in the foreground: it is ${visibility}, and without the focus or hidden by another window`,
    hint: "Leave the browser's window alone while it runs, or use a virtual display: unset DISPLAY.",
  });
}

function slowDisplay(framesPerSecond: number, least: number): BenchError {
  return new BenchError({
    stage: "preflight",
    code: "slow-display",
    message: `the display shows ${framesPerSecond.toFixed(1)} frames a second, and ${least} are needed`,
    hint: "Close what keeps the machine or the display busy, or use a virtual display: unset DISPLAY.",
  });
}
