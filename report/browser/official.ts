/** What is the same in every browser run, and what an official one has to be. */
import type { BrowserPlan } from "./schema.ts";

/** Not to be chosen: results with other values don't compare. */
export const PRESCRIBED = {
  viewport: { width: 1440, height: 900 },
  leastFramesPerSecond: 30,
  actLimitMs: 5000,
  readyLimitMs: 30_000,
} as const satisfies Partial<BrowserPlan>;

export const OFFICIAL = {
  filtered: false,
  headed: true,
  responseMode: "progressive",
} as const satisfies Partial<BrowserPlan>;

export const LEAST_OFFICIAL_ROUNDS = 10;
