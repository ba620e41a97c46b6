/** What the browser says while a page runs: its console, its errors, and every request on the wire. */
import type { CDPSession, Page } from "playwright-core";
import type { Problem } from "../todo/contract/problem.ts";
import { condense, problem } from "../todo/contract/problems.ts";

/** One request as the browser's own protocol tells it. */
export interface RequestRecord {
  readonly url: string;
  /** The protocol's resource type, such as `Script` or `Fetch`. */
  readonly type: string;
  /** Wall clock, ms since the epoch. */
  readonly sentAtMs: number;
  status: number | null;
  /** Media type of the answer, without parameters; null until there is one. */
  mimeType: string | null;
  /** Of the connection, such as `h2`. */
  protocol: string | null;
  /** Head and body as they were on the wire; null until it has ended. */
  encodedBytes: number | null;
  /** The browser's word for what went wrong; null where nothing did. */
  failed: string | null;
  /** The browser itself gave it up, as it does with a prefetch that nobody waits for any more. */
  cancelled: boolean;
}

export interface ConsoleLine {
  /** `error`, `warning`, `log`, … or `page error`. */
  readonly kind: string;
  readonly text: string;
}

export interface PageLog {
  readonly console: readonly ConsoleLine[];
  readonly requests: readonly RequestRecord[];
}

/** Begins to listen. Everything that the page does from now on is in the log that is returned. */
export async function listenToPage(page: Page, cdp: CDPSession): Promise<PageLog> {
  const console: ConsoleLine[] = [];
  const requests = new Map<string, RequestRecord>();
  page.on("console", (message) => console.push({ kind: message.type(), text: message.text() }));
  page.on("pageerror", (error) => console.push({ kind: "page error", text: String(error) }));
  cdp.on("Network.requestWillBeSent", ({ requestId, request, type = "Other", wallTime }) => {
    requests.set(requestId, {
      url: request.url,
      type,
      sentAtMs: wallTime * 1000,
      status: null,
      mimeType: null,
      protocol: null,
      encodedBytes: null,
      failed: null,
      cancelled: false,
    });
  });
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    const record = requests.get(requestId);
    if (record === undefined) return;
    record.status = response.status;
    record.mimeType = response.mimeType;
    record.protocol = response.protocol ?? null;
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const record = requests.get(requestId);
    if (record !== undefined) record.encodedBytes = encodedDataLength;
  });
  cdp.on("Network.loadingFailed", ({ requestId, errorText, canceled = false }) => {
    const record = requests.get(requestId);
    if (record === undefined) return;
    record.failed = errorText;
    record.cancelled = canceled;
  });
  await cdp.send("Network.enable");
  return {
    console,
    get requests() {
      return [...requests.values()];
    },
  };
}

/** Requests for what a page is made of, and a beacon, which asks for nothing. */
const PART_TYPES = new Set(["Document", "Stylesheet", "Image", "Font", "Media", "Manifest", "Ping"]);
/** The same by media type, for requests that the protocol calls scripts, which may be JSON modules, and others, which may be a preload for a `fetch`. */
const PART_MEDIA =
  /^(?:text\/css|(?:image|font|video|audio)\/.*|(?:text|application)\/javascript|application\/wasm)$/;
/** What the browser asks for in the page's stead, ahead of a navigation that may never come. */
const PREFETCH_TYPES = new Set(["Prefetch", "Fetch", "Other"]);

/**
 * Breaches that a whole visit's log shows. Pure.
 * @param readyAtMs wall clock, ms since the epoch
 */
export function judgeLog(log: PageLog, readyAtMs: number): Problem[] {
  return condense([
    ...log.console.flatMap(judgeLine),
    ...log.requests.flatMap((request) => [...judgeRequest(request), ...judgeEarly(request, readyAtMs)]),
  ]);
}

function judgeLine({ kind, text }: ConsoleLine): Problem[] {
  switch (kind) {
    case "page error":
      return [problem("page-error", "no unhandled error", text)];
    case "error":
    case "warning":
      return [problem("console", `no ${kind} on the console`, text)];
    default:
      return [];
  }
}

function judgeRequest({ url, type, status, protocol, failed, cancelled }: RequestRecord): Problem[] {
  if (url.startsWith("data:") || url.startsWith("blob:")) return [];
  if (failed !== null) {
    if (cancelled && PREFETCH_TYPES.has(type)) return [];
    return [problem("request-failed", "every request is answered", `${type} ${url}: ${failed}`)];
  }
  return [
    ...(status !== null && status >= 400
      ? [problem("request-status", "no status from 400 on", `${type} ${url}: ${status}`)]
      : []),
    ...(protocol !== null && protocol !== "h2"
      ? [problem("protocol", "h2 for every request", `${type} ${url}: ${protocol}`)]
      : []),
  ];
}

function judgeEarly(request: RequestRecord, readyAtMs: number): Problem[] {
  if (request.sentAtMs >= readyAtMs || !isForData(request)) return [];
  const { type, url } = request;
  return [problem("data-before-ready", "no request for data before ready", `${type} ${url}`)];
}

/** What a page needs for hydration is in its document. */
function isForData({ url, type, mimeType }: RequestRecord): boolean {
  if (url.startsWith("data:") || url.startsWith("blob:") || PART_TYPES.has(type)) return false;
  if (type !== "Script" && type !== "Other") return true;
  return mimeType !== null && !PART_MEDIA.test(mimeType);
}

/** Encoded bytes of all scripts that were fetched. */
export function scriptBytes({ requests }: PageLog): number {
  return requests
    .filter(({ type }) => type === "Script")
    .reduce((sum, { encodedBytes }) => sum + (encodedBytes ?? 0), 0);
}
