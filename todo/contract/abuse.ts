/**
 * Requests as no good client sends them, as data, and the judgement of what came back. A server may refuse them in any
 * way that HTTP knows; what it may not do is hang, mix answers up, give away what it shouldn't, or answer 500.
 */
import { FILTER_PATHS } from "./data.ts";
import {
  type Ask,
  checkReply,
  decodeUtf8,
  get,
  type HeaderList,
  type HttpContext,
  header,
  type Reply,
} from "./http.ts";
import type { Problem } from "./problem.ts";
import { problem, quote } from "./problems.ts";

/** What a client heard that sent something odd, on a connection of its own. */
export interface Heard {
  /** Whole answers, in order. */
  readonly replies: readonly Reply[];
  /**
   * `answered`: as many answers as requests; `closed`: by the server, between two answers; `cut-short`: in the middle
   * of one; `timeout`: neither an answer nor an end within the time.
   */
  readonly ending: "answered" | "closed" | "cut-short" | "refused" | "unparsable" | "timeout";
}

/** Requests that go out in one write. */
export interface OddRequest {
  readonly rule: string;
  /** For messages: what was sent, short. */
  readonly what: string;
  readonly asks: readonly Ask[];
  /**
   * What a whole answer may be: `page`, the page that was asked for, with its own nonce; `refusal`, 4xx, 501, 505 or a
   * redirect on the same server; or either.
   */
  readonly right: "page" | "refusal" | "either";
}

/** What the requests are made for. */
export interface OddSettings {
  /** Another one at each call. */
  readonly nonce: () => string;
  /** `127.0.0.1:PORT` */
  readonly authority: string;
  readonly assetPath: string;
}

const KIB = 1024;

/** Each on a connection of its own. */
export function oddRequests({ nonce, authority, assetPath }: OddSettings): OddRequest[] {
  const page = (headers: HeaderList = [], before = ""): Ask => {
    const own = nonce();
    return {
      question: { kind: "page", filter: "all", nonce: own, why: "plain" },
      request: get(`${before}${FILTER_PATHS.all}?r=${own}`, headers),
    };
  };
  return [
    ...[2, 10].map((times) => pipelined(Array.from({ length: times }, () => page()))),
    ...[64, 1024].map((kib) => odd("oversized", `a request line of ${kib} KiB`, longLine(kib * KIB))),
    odd("oversized", "a header of 100 KiB", page([["X-Long", "x".repeat(100 * KIB)]])),
    odd("oversized", "10,000 headers", page(flood(10_000))),
    odd("absolute-form", "its own address as the target", page([], `http://${authority}`)),
    odd("empty-segment", 'GET "//"', page([], "/")),
    ...hostileTargets(authority, assetPath).map(refused),
  ];
}

function pipelined(asks: readonly Ask[]): OddRequest {
  return { rule: "pipelined", what: `${asks.length} requests in one write`, asks, right: "page" };
}

function odd(rule: string, what: string, ask: Ask): OddRequest {
  return { rule, what, asks: [ask], right: "either" };
}

/** Its `r` is far too long for a nonce, so a page that is shown all the same has none. */
function longLine(bytes: number): Ask {
  return {
    question: { kind: "page", filter: "all", nonce: "", why: "plain" },
    request: get(`${FILTER_PATHS.all}?r=${"x".repeat(bytes)}`),
  };
}

function flood(headers: number): [string, string][] {
  return Array.from({ length: headers }, (_, nth) => [`X-Flood-${nth}`, "1"]);
}

function refused(target: string): OddRequest {
  return {
    rule: "hostile-target",
    what: `GET ${quote(target)}`,
    asks: [{ question: { kind: "outside" }, request: get(target) }],
    right: "refusal",
  };
}

/** Ways up and out, by every spelling of `..` and `/` that a careless server decodes; and targets that can't be decoded. */
function hostileTargets(authority: string, assetPath: string): string[] {
  const ways = [
    "../../../../etc/passwd",
    "..%2f..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "%252e%252e%252f%252e%252e%252fetc%252fpasswd",
    "%c0%ae%c0%ae%c0%af%c0%ae%c0%ae%c0%afetc%c0%afpasswd",
    "..\\..\\..\\..\\etc\\passwd",
    "..%5c..%5c..%5c..%5cetc%5cpasswd",
    "..;/..;/etc/passwd",
    "..%00/..%00/etc/passwd",
    "etc/passwd%00.js",
    "\0",
    "%",
    "%ff",
  ];
  return [
    ...[FILTER_PATHS.all, assetPath].flatMap((root) => ways.map((way) => root + way)),
    "//etc/passwd",
    "///etc/passwd",
    "/\\etc/passwd",
    `http://${authority}/../../etc/passwd`,
    `http://${authority}${assetPath}%2e%2e%2fadapter.json`,
    "http://example.org/etc/passwd",
    "file:///etc/passwd",
    "etc/passwd",
  ];
}

/** Whether the answer is one that HTTP and the contract allow. */
export function checkHeard(odd: OddRequest, { replies, ending }: Heard, context: HttpContext): Problem[] {
  const { rule, what, asks, right } = odd;
  const problems = replies.flatMap((reply, nth) => {
    const ask = asks[nth];
    if (ask === undefined || (right !== "page" && isRefusal(reply))) return [];
    return right === "refusal"
      ? [problem(rule, "a refusal", `status ${reply.status}`)]
      : checkOwnPage(ask, reply, context);
  });
  // What a server says while it closes on a request that it doesn't want to read can be lost with the rest of it.
  const ended = ending === "answered" || ending === "closed" || (ending === "cut-short" && right !== "page");
  if (!ended) problems.push(problem(rule, endings(right), `${ending} after ${replies.length} whole answers`));
  return problems.map((one) => ({ ...one, rule, expected: `${what}: ${one.expected}` }));
}

function endings(right: OddRequest["right"]): string {
  switch (right) {
    case "page":
      return "answers in order, or a connection closed between two of them";
    case "refusal":
      return "a refusal or a closed connection";
    case "either":
      return "the page, a refusal or a closed connection";
  }
}

/** 4xx, 501, 505 (what some make of a request line that they can't read), or a redirect that stays on this server; without the list. */
function isRefusal({ status, headers, body }: Reply): boolean {
  const refuses = (status >= 400 && status < 500) || status === 501 || status === 505;
  const redirects = status >= 300 && status < 400 && isOwn(header(headers, "location") ?? "");
  return (refuses || redirects) && !(decodeUtf8(body) ?? "").includes("data-todo");
}

/** Whether a redirect leads to the server's own address, on whatever port. */
function isOwn(location: string): boolean {
  const base = "http://127.0.0.1";
  return URL.canParse(location, base) && new URL(location, base).hostname === "127.0.0.1";
}

function checkOwnPage(ask: Ask, reply: Reply, context: HttpContext): Problem[] {
  const nonce = ask.question.kind === "page" ? ask.question.nonce : "";
  const shows = (decodeUtf8(reply.body) ?? "").includes(nonce);
  return [
    ...checkReply(ask.question, reply, context),
    ...(shows ? [] : [problem("nonce", `the nonce ${quote(nonce)}`, "a page without it")]),
  ];
}
