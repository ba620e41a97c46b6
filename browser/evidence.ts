/** What is kept of a visit that wasn't right, for a person to look at. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { PROJECT_ROOT } from "../harness/project.ts";
import type { PageLog } from "./log.ts";

const SCREENSHOT_LIMIT_MS = 5_000;

export interface EvidenceOptions {
  /** Absolute; made where it isn't there. */
  readonly folder: string;
  readonly page: Page;
  readonly log: PageLog;
  readonly problems: readonly unknown[];
}

/**
 * Screenshot, problems, console and network log.
 * @returns the folder, relative to the project's root; null where it can't be written: the visit's own words are safe
 */
export async function keepEvidence({ folder, page, log, problems }: EvidenceOptions): Promise<string | null> {
  try {
    await mkdir(folder, { recursive: true });
    const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
    await writeFile(path.join(folder, "problems.json"), json(problems));
    await writeFile(path.join(folder, "console.json"), json(log.console));
    await writeFile(path.join(folder, "network.json"), json(log.requests));
    await keepScreenshot(page, path.join(folder, "page.png"));
    return path.relative(PROJECT_ROOT, folder);
  } catch {
    // A full or read-only disk: the report of the visit matters more than its pictures.
    return null;
  }
}

/** A page whose browser is gone has no picture. */
async function keepScreenshot(page: Page, file: string): Promise<void> {
  if (page.isClosed()) return;
  await page.screenshot({ path: file, fullPage: true, timeout: SCREENSHOT_LIMIT_MS }).catch(() => undefined);
}
