/** A visit's readings: what the page's web vitals, the protocol and the renderer's process say, and why one is missing. */
import { readFileSync } from "node:fs";
import type { CDPSession } from "playwright-core";
import { isGone, parseKibField } from "../harness/proc.ts";
import { type BrowserReadings, browserReadingsSchema } from "../report/browser/schema.ts";
import type { Vitals } from "./page/instrument.ts";

/** Memory of the page at one moment. */
export interface MemoryReading {
  /** Used size of the JS heap after a forced collection. */
  readonly jsHeapBytes: number;
  readonly rendererRssBytes: number | null;
  readonly rendererPssBytes: number | null;
  /** Why one of them is null. */
  readonly missing: string | null;
}

/** @param rendererPid the process that renders the page */
export async function readMemory(cdp: CDPSession, rendererPid: number): Promise<MemoryReading> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return { jsHeapBytes: usedSize, ...readRollup(rendererPid) };
}

type RendererMemory = Omit<MemoryReading, "jsHeapBytes">;

function readRollup(pid: number): RendererMemory {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return {
      rendererRssBytes: parseKibField(text, "Rss"),
      rendererPssBytes: parseKibField(text, "Pss"),
      missing: null,
    };
  } catch (error) {
    const missing = isGone(error)
      ? "the renderer's process had ended"
      : `/proc/PID/smaps_rollup can't be read: ${(error as NodeJS.ErrnoException).code}`;
    return { rendererRssBytes: null, rendererPssBytes: null, missing };
  }
}

export interface Gathered {
  readonly vitals: Vitals;
  readonly readyMs: number | null;
  readonly jsTransferBytes: number;
  readonly atReady: MemoryReading;
  readonly atEnd: MemoryReading;
}

/** As a visit holds them. */
export interface Readings {
  readonly metrics: BrowserReadings;
  /** Of those that are null, by name. */
  readonly nullReasons: Record<string, string>;
}

/** Of a visit in which none are taken. @param why for all of them */
export function noReadings(why: string): Readings {
  const names = Object.keys(browserReadingsSchema.shape);
  const all = <T>(value: T): Record<string, T> => Object.fromEntries(names.map((name) => [name, value]));
  return { metrics: browserReadingsSchema.parse(all(null)), nullReasons: all(why) };
}

/** Readings and reasons. Pure. */
export function readingsOf({ vitals, readyMs, jsTransferBytes, atReady, atEnd }: Gathered): Readings {
  const vital = (name: string): number | null => vitals[name] ?? null;
  const metrics: BrowserReadings = {
    ttfbMs: vital("TTFB"),
    fcpMs: vital("FCP"),
    lcpMs: vital("LCP"),
    cls: vital("CLS"),
    inpMs: vital("INP"),
    readyMs,
    jsTransferBytes,
    jsHeapReadyBytes: atReady.jsHeapBytes,
    jsHeapEndBytes: atEnd.jsHeapBytes,
    rendererRssReadyBytes: atReady.rendererRssBytes,
    rendererRssEndBytes: atEnd.rendererRssBytes,
    rendererPssReadyBytes: atReady.rendererPssBytes,
    rendererPssEndBytes: atEnd.rendererPssBytes,
  };
  const reasonFor = (name: string): string => {
    const memory = name.endsWith("ReadyBytes") ? atReady.missing : atEnd.missing;
    if (name === "readyMs") return "the page was never ready";
    return name.startsWith("renderer") ? (memory ?? "not in /proc") : "the browser reported none";
  };
  const missing = Object.entries(metrics).filter(([, value]) => value === null);
  return { metrics, nullReasons: Object.fromEntries(missing.map(([name]) => [name, reasonFor(name)])) };
}
