/** Which Chromium the tests and the browser run drive: an installed one where there is one, Playwright's own otherwise. */
import { chromium } from "playwright-core";
import { findProgram, isExecutable } from "./tools.ts";

/** The first with declarative shadow roots by `shadowrootmode` (chromestatus.com/feature/5161240576393216). */
export const OLDEST_CHROMIUM = "111";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

export interface FoundChromium {
  /** Absolute path, for Playwright's `executablePath`. */
  readonly file: string;
  readonly source: "CHROMIUM_PATH" | "installed" | "playwright";
}

/**
 * `CHROMIUM_PATH` where it is set, then Chromium or Chrome on the PATH, then Playwright's download. Null where there is
 * none, and where `CHROMIUM_PATH` names no program.
 */
export function findChromium(named: string | undefined = process.env.CHROMIUM_PATH): FoundChromium | null {
  if (named) return isExecutable(named) ? { file: named, source: "CHROMIUM_PATH" } : null;
  const installed = NAMES.map((name) => findProgram(name)).find((file) => file !== null);
  if (installed !== undefined && installed !== null) return { file: installed, source: "installed" };
  const own = chromium.executablePath();
  return own !== "" && isExecutable(own) ? { file: own, source: "playwright" } : null;
}
