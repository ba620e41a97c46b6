/**
 * The HTTP contract as data and pure judgement: the requests that a verification sends, and the checks on what was
 * recorded of their answers. No socket here; the harness sends and records.
 */
import { FILTER_PATHS, type Filter, requestNonce } from "./data.ts";
import type { AssetReference } from "./page-state.ts";
import type { Problem } from "./problem.ts";
import { differs, problem, quote } from "./problems.ts";

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** One request as it goes on the wire. */
export interface WireRequest {
  readonly method: string;
  /** The request target, sent as it is. */
  readonly target: string;
  /** Besides `Host`. */
  readonly headers: HeaderList;
  /** Empty but for methods that carry one. */
  readonly body: string;
}

/** How the end of a body was told: its length, chunks, the connection's end, or there is none (HEAD, 204, 304). */
export type Framing = "length" | "chunked" | "until-close" | "none";

export interface Reply {
  /** `HTTP/1.1` */
  readonly version: string;
  readonly status: number;
  /** As received, in order, names in their own case. */
  readonly headers: HeaderList;
  readonly framing: Framing;
  /** Chunks on the wire, the empty last one not counted; 0 without chunked framing. */
  readonly chunks: number;
  readonly body: Uint8Array;
  /** Statuses of interim (1xx) replies before it. */
  readonly interim: readonly number[];
}

/** Why there is no complete answer. */
export type Fault =
  | "refused"
  | "reset"
  | "closed-in-head"
  | "closed-in-body"
  | "unparsable"
  | "timeout"
  | "aborted";

export type Outcome =
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "failed"; readonly fault: Fault; readonly message: string };

/** One request and what came back, as the raw socket recorded it. */
export interface Exchange {
  readonly request: WireRequest;
  readonly outcome: Outcome;
  /** Wall clock, whole ms since the epoch: when the request was written, when its answer had ended. */
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /** Which request on its connection it was, from 0. */
  readonly turn: number;
  /** Bytes that came after the whole answer and before the next request was sent: a second reply, or garbage. */
  readonly trailingBytes: number;
}

export type Mode = "progressive" | "complete";

/** What is asked, and so how its answer is judged. */
export type Question =
  | { readonly kind: "page"; readonly filter: Filter; readonly nonce: string; readonly why: string }
  | { readonly kind: "head"; readonly filter: Filter }
  | { readonly kind: "info" }
  | { readonly kind: "asset"; readonly asset: AssetReference; readonly path: string }
  | { readonly kind: "outside" }
  | { readonly kind: "missing" }
  | { readonly kind: "method" };

export interface Ask {
  readonly question: Question;
  readonly request: WireRequest;
}

/** Requests that go over one connection, in order; `keepAlive` says that the connection must last through all. */
export interface Conversation {
  readonly keepAlive: boolean;
  readonly asks: readonly Ask[];
}

const FILTERS = Object.keys(FILTER_PATHS) as Filter[];

/** A request without a body. */
export function get(target: string, headers: HeaderList = [], method = "GET"): WireRequest {
  return { method, target, headers, body: "" };
}

function page(filter: Filter, raw: string | null, why: string, headers: HeaderList = []): Ask {
  const target = FILTER_PATHS[filter] + (raw === null ? "" : `?r=${raw}`);
  return {
    question: { kind: "page", filter, nonce: requestNonce(raw), why },
    request: get(target, headers),
  };
}

/** `r` values that aren't nonces; a page ignores them. The last is well-formed but for its length. */
const ILL_FORMED = ["", "a-b", "a%20b", "%3Cb%3E", "a_b", "x".repeat(33)];

/**
 * The pages and what hangs on them, over one connection that must be kept alive throughout.
 * @param nonces at least 7 different ones
 */
export function pageConversation(nonces: readonly string[]): Conversation {
  const nonce = (index: number): string => nonces[index] ?? "";
  const longest = nonce(3).padEnd(32, "0").slice(0, 32);
  return {
    keepAlive: true,
    asks: [
      ...FILTERS.map((filter, index) => page(filter, nonce(index), "plain")),
      page("all", longest, "a nonce of 32 letters"),
      page("all", null, "without a nonce"),
      page("all", "a%22b", "an ill-formed nonce"),
      page("all", nonce(4), "offering gzip and br", [["Accept-Encoding", "gzip, br"]]),
      page("all", nonce(5), "conditional", [
        ["If-None-Match", "*"],
        ["If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"],
      ]),
      ...FILTERS.map(
        (filter): Ask => ({
          question: { kind: "head", filter },
          request: get(FILTER_PATHS[filter], [], "HEAD"),
        }),
      ),
      { question: { kind: "info" }, request: get("/bench/info") },
      page("all", nonce(6), "after HEAD and /bench/info"),
    ],
  };
}

/** Pages asked with an `r` that isn't a nonce, over one connection. */
export function illFormedConversation(): Conversation {
  return { keepAlive: true, asks: ILL_FORMED.map((raw) => page("all", raw, "an ill-formed nonce")) };
}

/** Paths that aren't there, and paths that lead out of the assets: each on a connection of its own. */
export function missingConversations(assetPath: string): Conversation[] {
  const up = (dots: string, slash: string): string => `${dots}${slash}`.repeat(8);
  const outside = [
    ["..", "/"],
    ["%2e%2e", "/"],
    ["..", "%2f"],
    ["%2e%2e", "%2f"],
    ["%252e%252e", "%252f"],
    ["..", "%5c"],
    ["..", "\\"],
  ].flatMap(([dots = "", slash = ""]) => [
    `${assetPath}${dots}${slash}adapter.json`,
    `${assetPath}${dots}${slash}${dots}${slash}adapter.json`,
    `${assetPath}${up(dots, slash)}etc/passwd`,
  ]);
  const missing = [
    "/no-such-page",
    "/active/no-such-page",
    "/index.html",
    "/favicon.ico.html",
    "/bench/no-such-page",
    `${assetPath}no-such-file-0a1b2c3d.js`,
    assetPath,
  ];
  return [
    ...outside.map((target) => alone({ question: { kind: "outside" }, request: get(target) })),
    ...missing.map((target) => alone({ question: { kind: "missing" }, request: get(target) })),
  ];
}

/** Other methods on the pages, each on a connection of its own. */
export function methodConversations(): Conversation[] {
  return ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].flatMap((method) =>
    Object.values(FILTER_PATHS).map((target) => {
      const body = method === "DELETE" || method === "OPTIONS" ? "" : "x=1";
      const headers: HeaderList =
        body === ""
          ? []
          : [
              ["Content-Type", "application/x-www-form-urlencoded"],
              ["Content-Length", String(body.length)],
            ];
      return alone({ question: { kind: "method" }, request: { method, target, headers, body } });
    }),
  );
}

function alone(ask: Ask): Conversation {
  return { keepAlive: false, asks: [ask] };
}

/** Where an asset's reference leads; null where it isn't on this server. @param pagePath path of the page that refers to it */
export function assetTarget(asset: AssetReference, pagePath: string): string | null {
  const base = new URL(pagePath, "http://server.invalid");
  if (!URL.canParse(asset.href, base.href)) return null;
  const url = new URL(asset.href, base.href);
  return url.host === base.host && url.protocol === base.protocol ? url.pathname + url.search : null;
}

/** Each file that the page refers to, once; inline (`data:`) icons aren't requested. */
export function assetConversation(assets: readonly AssetReference[], pagePath: string): Conversation {
  const asks = new Map<string, Ask>();
  for (const asset of assets) {
    const target = assetTarget(asset, pagePath);
    if (target === null || asks.has(target)) continue;
    asks.set(target, {
      question: { kind: "asset", asset, path: target },
      request: get(target, [["Accept-Encoding", "gzip, br"]]),
    });
  }
  return { keepAlive: true, asks: [...asks.values()] };
}

/** References that no request can settle: to another host, or outside the asset path. */
export function checkAssetReferences(
  assets: readonly AssetReference[],
  pagePath: string,
  assetPath: string,
): Problem[] {
  return assets.flatMap((asset) => {
    if (asset.kind === "icon" && asset.href.startsWith("data:")) return [];
    const target = assetTarget(asset, pagePath);
    if (target === null) return [problem("asset-origin", "a file of this server", quote(asset.href))];
    if (asset.kind === "icon") return [];
    const problems: Problem[] = [];
    if (!target.startsWith(assetPath)) {
      problems.push(problem("asset-path", `a path below ${assetPath}`, quote(asset.href)));
    }
    if (!isHashedName(target)) {
      problems.push(problem("asset-hash", "a file name with a hash of its content", quote(asset.href)));
    }
    return problems;
  });
}

/** No file system has longer ones. */
const LONGEST_NAME = 255;

/** Thirteen characters, the first of them a digit: a number of 64 bits in digits, small letters, `-` and `_`, as Turbopack writes it. */
const NUMBER_AS_NAME = /(?:^|[-._~])\d[a-z0-9_-]{12}$/;

/** Eight or more letters and digits before the extension that don't read like a word. */
export function isHashedName(path: string): boolean {
  const [withoutQuery = ""] = path.split("?");
  const file = withoutQuery.slice(withoutQuery.lastIndexOf("/") + 1);
  if (file.length > LONGEST_NAME) return false;
  const name = /^(.+)\.[a-z0-9]+$/i.exec(file)?.[1] ?? "";
  const hash = /(?:^|[-._~])([A-Za-z0-9_-]{8,})$/.exec(name)?.[1] ?? "";
  return /[0-9A-Z]/.test(hash.slice(-8)) || NUMBER_AS_NAME.test(name);
}

/** Values of a header, in order. @param name lower case */
export function headerValues(headers: HeaderList, name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value.trim());
}

/** The one value of a header, or null where it is absent. Of several the first; that there are several is judged apart. */
export function header(headers: HeaderList, name: string): string | null {
  return headerValues(headers, name)[0] ?? null;
}

/** A header's value as a list of lower-case members. */
function members(headers: HeaderList, name: string): string[] {
  return headerValues(headers, name).flatMap((value) =>
    value.split(",").map((member) => member.trim().toLowerCase()),
  );
}

/** `GET /active`, for messages. */
export function label({ method, target }: WireRequest): string {
  return `${method} ${target}`;
}

/** The settings that an answer is judged by. */
export interface HttpContext {
  readonly mode: Mode;
  readonly assetPath: string;
}

/**
 * Judges one recorded answer as far as HTTP goes; the body of a page and of `/bench/info` is judged by `checkPage`
 * and `parseBenchInfo`.
 */
export function checkExchange(ask: Ask, exchange: Exchange, context: HttpContext): Problem[] {
  const { outcome } = exchange;
  if (outcome.kind === "failed") {
    return at(ask, [problem("no-answer", "a whole answer", `${outcome.fault}: ${outcome.message}`)]);
  }
  const { trailingBytes } = exchange;
  const trailing =
    trailingBytes === 0
      ? []
      : [problem("trailing", "one reply to one request", `${trailingBytes} bytes after it`)];
  return at(ask, [...checkReply(ask.question, outcome.reply, context), ...trailing]);
}

/** Judges a whole answer by itself. */
export function checkReply(question: Question, reply: Reply, context: HttpContext): Problem[] {
  return [...checkWire(reply), ...checkAnswer(question, reply, context)];
}

/** Says of each problem which request it was. */
function at(ask: Ask, problems: readonly Problem[]): Problem[] {
  const suffix = ask.question.kind === "page" && ask.question.why !== "plain" ? ` (${ask.question.why})` : "";
  return problems.map((one) => ({ ...one, expected: `${label(ask.request)}${suffix}: ${one.expected}` }));
}

/** Headers of which a second one changes what the message means. */
const ONCE = ["content-length", "content-type", "transfer-encoding", "etag"];

function checkWire(reply: Reply): Problem[] {
  const problems: Problem[] = [...differs("http-version", "HTTP/1.1", reply.version)];
  if (reply.interim.length > 0) {
    problems.push(problem("interim", "no 1xx reply", reply.interim.join(", ")));
  }
  for (const name of ONCE) {
    const { length } = headerValues(reply.headers, name);
    if (length > 1) problems.push(problem("header-twice", `one ${name}`, String(length)));
  }
  const lengths = headerValues(reply.headers, "content-length").length;
  const codings = headerValues(reply.headers, "transfer-encoding").length;
  if (lengths > 0 && codings > 0) {
    problems.push(problem("framing", "a length or chunks", "both Content-Length and Transfer-Encoding"));
  }
  return problems;
}

function checkAnswer(question: Question, reply: Reply, context: HttpContext): Problem[] {
  switch (question.kind) {
    case "page":
      return checkPageReply(reply, context);
    case "head":
      return checkHeadReply(reply);
    case "info":
      return checkInfoReply(reply);
    case "asset":
      return checkAssetReply(question.asset, question.path, reply, context);
    case "outside":
      return checkGone("outside", reply);
    case "missing":
      return checkGone("missing", reply);
    case "method":
      return reply.status < 500 ? [] : [problem("method", "a status below 500", String(reply.status))];
  }
}

function checkPageReply(reply: Reply, { mode }: HttpContext): Problem[] {
  return [
    ...differs("status", 200, reply.status),
    ...checkPageHeaders(reply),
    ...checkCharset(reply),
    ...checkKeptAlive(reply),
    ...checkFraming(reply, mode),
    ...checkSentinel(reply.body),
  ];
}

function checkPageHeaders({ headers }: Reply): Problem[] {
  const problems: Problem[] = [];
  const type = header(headers, "content-type") ?? "";
  if (mediaType(type) !== "text/html") problems.push(problem("content-type", "text/html", quote(type)));
  if (!members(headers, "cache-control").includes("no-store")) {
    const seen = quote(header(headers, "cache-control"));
    problems.push(problem("no-store", "cache-control with no-store", seen));
  }
  for (const name of ["etag", "last-modified"]) {
    const seen = header(headers, name);
    if (seen !== null) problems.push(problem("validators", `no ${name}`, quote(seen)));
  }
  problems.push(...checkIdentity(headers));
  return problems;
}

function checkIdentity(headers: HeaderList): Problem[] {
  const codings = members(headers, "content-encoding").filter((coding) => coding !== "identity");
  return codings.length === 0 ? [] : [problem("identity", "no content-encoding", quote(codings.join(", ")))];
}

function mediaType(value: string): string {
  return (value.split(";")[0] ?? "").trim().toLowerCase();
}

/** Bytes at the start in which HTML wants its `<meta charset>`. */
const META_BYTES = 1024;

function checkCharset({ headers, body }: Reply): Problem[] {
  const declared = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(header(headers, "content-type") ?? "")?.[1];
  const meta = /<meta\s[^>]*charset\s*=\s*["']?\s*([\w-]+)/i.exec(latin1(body.subarray(0, META_BYTES)))?.[1];
  const charset = (declared ?? meta ?? "").toLowerCase();
  const problems =
    charset === "utf-8" || charset === "utf8" ? [] : [problem("charset", "UTF-8", quote(charset))];
  return decodeUtf8(body) === null
    ? [...problems, problem("utf-8", "a body in UTF-8", "other bytes")]
    : problems;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** The body's text, or null where it isn't UTF-8. A leading byte order mark stays. */
export function decodeUtf8(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    // Fatal decoding throws on the first wrong byte: that is the answer, not an error.
    return null;
  }
}

function checkKeptAlive({ headers, framing }: Reply): Problem[] {
  if (members(headers, "connection").includes("close")) {
    return [problem("keep-alive", "a connection kept alive", "Connection: close")];
  }
  return framing === "until-close"
    ? [problem("keep-alive", "a length or chunks", "neither: ends by closing")]
    : [];
}

function checkFraming({ headers, framing, chunks, body }: Reply, mode: Mode): Problem[] {
  const length = header(headers, "content-length");
  if (mode === "progressive") {
    return framing === "chunked" && length === null && chunks > 0
      ? []
      : [
          problem(
            "progressive",
            "chunked, without Content-Length",
            `${framing}, Content-Length ${quote(length)}`,
          ),
        ];
  }
  return framing === "length" && length === String(body.byteLength)
    ? []
    : [
        problem(
          "complete",
          "one body with its Content-Length",
          `${framing}, Content-Length ${quote(length)}`,
        ),
      ];
}

/** The document's last bytes, by which a whole response is told under load. */
export const SENTINEL = "</html>";

/** Whether a document's last bytes have come. */
export function checkSentinel(body: Uint8Array): Problem[] {
  const tail = latin1(body.subarray(-64));
  return tail.trimEnd().endsWith(SENTINEL)
    ? []
    : [problem("sentinel", `a document that ends with ${SENTINEL}`, quote(tail.slice(-24)))];
}

function checkHeadReply(reply: Reply): Problem[] {
  if (reply.status === 405) return [];
  return [
    ...differs("head", "200 or 405", reply.status === 200 ? "200 or 405" : String(reply.status)),
    ...checkPageHeaders(reply),
    ...differs("head-body", 0, reply.body.byteLength),
  ];
}

function checkInfoReply({ status, headers }: Reply): Problem[] {
  const type = header(headers, "content-type") ?? "";
  return [
    ...differs("info-status", 200, status),
    ...(mediaType(type) === "application/json"
      ? []
      : [problem("info-type", "application/json", quote(type))]),
  ];
}

/** Media types by file name extension; the first is what is usual. */
const MEDIA_TYPES: Readonly<Record<string, readonly string[]>> = {
  js: ["text/javascript", "application/javascript"],
  mjs: ["text/javascript", "application/javascript"],
  css: ["text/css"],
  svg: ["image/svg+xml"],
  png: ["image/png"],
  ico: ["image/x-icon", "image/vnd.microsoft.icon"],
};

function rightTypes(kind: AssetReference["kind"], path: string): readonly string[] {
  if (kind === "stylesheet") return MEDIA_TYPES.css ?? [];
  if (kind !== "icon") return MEDIA_TYPES.js ?? [];
  const extension = /\.([a-z0-9]+)(?:\?.*)?$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return MEDIA_TYPES[extension] ?? ["an image type"];
}

const YEAR_SECONDS = 365 * 24 * 60 * 60;

function checkAssetReply(
  asset: AssetReference,
  path: string,
  reply: Reply,
  { assetPath }: HttpContext,
): Problem[] {
  const problems: Problem[] = [
    ...differs("asset-status", 200, reply.status),
    ...checkIdentity(reply.headers),
  ];
  if (reply.status !== 200) return problems;
  const types = rightTypes(asset.kind, path);
  const type = mediaType(header(reply.headers, "content-type") ?? "");
  if (!types.includes(type)) problems.push(problem("asset-type", types.join(" or "), quote(type)));
  if (reply.body.byteLength === 0) problems.push(problem("asset-empty", "content", "an empty file"));
  if (!path.startsWith(assetPath)) return problems;
  const caching = members(reply.headers, "cache-control");
  const maxAge = Number(caching.map((member) => /^max-age=(\d+)$/.exec(member)?.[1]).find(Boolean) ?? 0);
  if (!caching.includes("immutable") || maxAge < YEAR_SECONDS) {
    const right = `immutable and a max-age of at least a year (${YEAR_SECONDS})`;
    problems.push(problem("asset-caching", right, quote(header(reply.headers, "cache-control"))));
  }
  return problems;
}

function checkGone(rule: "outside" | "missing", { status, body }: Reply): Problem[] {
  const problems = differs(rule, 404, status);
  const text = decodeUtf8(body) ?? latin1(body.subarray(0, META_BYTES));
  if (/data-todo|Todo \d{3} at /.test(text)) {
    problems.push(problem("missing-list", "a 404 without the list", "the list"));
  }
  return problems;
}

/**
 * Judges a conversation's connection: what had to go over one connection went over one. A reply that failed is
 * judged by `checkExchange` already.
 */
export function checkConnection(
  { keepAlive, asks }: Conversation,
  exchanges: readonly Exchange[],
): Problem[] {
  if (!keepAlive) return [];
  const reconnected = exchanges.findIndex((exchange, index) => exchange.turn !== index);
  return reconnected < 0
    ? []
    : [
        problem(
          "keep-alive",
          `all ${asks.length} requests on one connection`,
          `closed before request ${reconnected + 1}`,
        ),
      ];
}
