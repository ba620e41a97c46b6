/**
 * The workload's contract on a running server: HTTP on a bare socket, the DOM of the raw responses, and what its
 * processes have really loaded. Every breach is data; only the machine's own faults throw.
 */
import { createHash, randomBytes } from "node:crypto";
import { judgeLoaded, readLoaded } from "../harness/loaded.ts";
import type { AdapterManifest } from "../harness/manifest.ts";
import { parsePage } from "../harness/parse5-node.ts";
import {
  converse,
  isHopeless,
  type Misbehaviour,
  misbehave,
  type RawSettings,
  type RawTarget,
} from "../harness/raw-http.ts";
import type { ResponseMode, Verified } from "../report/schema.ts";
import { type BenchInfo, checkBenchInfo, parseBenchInfo } from "../todo/contract/bench-info.ts";
import { FILTER_PATHS } from "../todo/contract/data.ts";
import {
  type Ask,
  assetConversation,
  type Conversation,
  checkAssetReferences,
  checkConnection,
  checkExchange,
  checkSentinel,
  decodeUtf8,
  type Exchange,
  get,
  type HttpContext,
  illFormedConversation,
  label,
  methodConversations,
  missingConversations,
  pageConversation,
  type Reply,
} from "../todo/contract/http.ts";
import {
  checkHydrationData,
  checkPage,
  type ExpectedPage,
  timestampOf,
} from "../todo/contract/page-check.ts";
import { type AssetReference, readPage } from "../todo/contract/page-state.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { condense, problem, quote } from "../todo/contract/problems.ts";
import type { KeptBody } from "./load/port.ts";

/** `before-load`: what a request can show, well under half a second; `full`: bad clients and a thousand connections too. */
export type VerifyDepth = "before-load" | "full";

export interface VerifyOptions {
  readonly target: RawTarget;
  readonly manifest: AdapterManifest;
  readonly mode: ResponseMode;
  /** The server's process tree, read afresh. */
  readonly pids: () => readonly number[];
  readonly depth: VerifyDepth;
  readonly signal: AbortSignal;
}

export interface Verification {
  /** Empty where the server keeps the contract. */
  readonly problems: readonly Problem[];
  /** Of the first plain `GET /`; zeros where it had no answer. */
  readonly verified: Verified;
  /** Null only where a problem says why. */
  readonly info: BenchInfo | null;
}

const TIMEOUT_MS = 5_000;
const CONNECTIONS_IN_FULL = 1_000;

/** Checks a running server against the whole contract. @throws the signal's reason when it aborts */
export async function verifyServer(options: VerifyOptions): Promise<Verification> {
  const { manifest, mode, depth } = options;
  const line = openLine(options);
  const pages = await line.hold([
    pageConversation(nonces(7)),
    ...(depth === "full" ? [illFormedConversation()] : []),
  ]);
  const { assets, problems: pageProblems } = judgePages(pages);
  const files = await line.hold([assetConversation(assets, FILTER_PATHS.all)]);
  const others = await line.hold([...missingConversations(manifest.assetPath), ...methodConversations()]);
  const { info, problems: infoProblems } = judgeInfo(options, pages);
  const abused = depth === "full" ? await abuse(options, line) : [];
  const problems = [
    ...[...pages, ...files, ...others].flatMap((answered) =>
      judgeHttp(answered, { mode, assetPath: manifest.assetPath }),
    ),
    ...pageProblems,
    ...checkAssetReferences(assets, FILTER_PATHS.all, manifest.assetPath),
    ...infoProblems,
    ...(info === null ? [] : judgeServedFiles(files, info)),
    ...abused,
  ];
  return { problems: condense(problems), verified: countFirst(pages, line.requests()), info };
}

/**
 * Checks a body kept under load against the DOM contract: its own nonce exactly, its timestamp inside its own
 * request's times.
 */
export function checkKeptBody(kept: KeptBody): Problem[] {
  const { nonce, sentAtMs, endedAtMs } = kept;
  return [
    ...checkSentinel(kept.body),
    ...checkBody(kept.body, { filter: "all", nonce, sentAtMs, endedAtMs }).problems,
  ];
}

/** A conversation and as many of its answers as were to be had. */
interface Answered {
  readonly conversation: Conversation;
  readonly exchanges: readonly Exchange[];
}

interface Line {
  /** Holds the conversations in turn, until the server is past hope. */
  hold(conversations: readonly Conversation[]): Promise<Answered[]>;
  /** Requests sent so far. */
  requests(): number;
}

function openLine({ target, signal }: VerifyOptions): Line {
  let requests = 0;
  let hopeless = false;
  return {
    requests: () => requests,
    async hold(conversations) {
      const answered: Answered[] = [];
      for (const conversation of conversations) {
        if (hopeless) break;
        const asked = conversation.asks.map(({ request }) => request);
        const exchanges = await converse(target, asked, rawSettings(signal));
        signal.throwIfAborted();
        requests += exchanges.length;
        hopeless = exchanges.some(isHopeless);
        answered.push({ conversation, exchanges });
      }
      return answered;
    },
  };
}

function rawSettings(signal: AbortSignal): RawSettings {
  return { timeoutMs: TIMEOUT_MS, signal };
}

function nonces(count: number): string[] {
  return Array.from({ length: count }, () => randomBytes(8).toString("hex"));
}

interface Pair {
  readonly ask: Ask;
  readonly exchange: Exchange;
  /** Null where there was no whole answer. */
  readonly reply: Reply | null;
}

function pairsOf({ conversation, exchanges }: Answered): Pair[] {
  return exchanges.flatMap((exchange, index) => {
    const ask = conversation.asks[index];
    if (ask === undefined) return [];
    return [{ ask, exchange, reply: exchange.outcome.kind === "reply" ? exchange.outcome.reply : null }];
  });
}

function judgeHttp(answered: Answered, context: HttpContext): Problem[] {
  return [
    ...checkConnection(answered.conversation, answered.exchanges),
    ...pairsOf(answered).flatMap(({ ask, exchange }) => checkExchange(ask, exchange, context)),
  ];
}

/** The DOM of every page that came with status 200, and the files that any of them refers to. */
function judgePages(pages: readonly Answered[]): { assets: AssetReference[]; problems: Problem[] } {
  const assets = new Map<string, AssetReference>();
  const problems: Problem[] = [];
  for (const { ask, exchange, reply } of pages.flatMap(pairsOf)) {
    if (ask.question.kind !== "page" || reply?.status !== 200) continue;
    const { filter, nonce } = ask.question;
    const { sentAtMs, endedAtMs } = exchange;
    const judged = checkBody(reply.body, { filter, nonce, sentAtMs, endedAtMs });
    problems.push(
      ...judged.problems.map((one) => ({ ...one, expected: `${label(ask.request)}: ${one.expected}` })),
    );
    for (const asset of judged.assets) assets.set(`${asset.kind} ${asset.href}`, asset);
  }
  return { assets: [...assets.values()], problems };
}

function checkBody(
  body: Uint8Array,
  expected: ExpectedPage,
): { problems: Problem[]; assets: readonly AssetReference[] } {
  const html = decodeUtf8(body);
  if (html === null) return { problems: [problem("utf-8", "a body in UTF-8", "other bytes")], assets: [] };
  const { root, faults } = parsePage(html);
  const state = readPage(root);
  const timestamp = timestampOf(state);
  return {
    assets: state.assets,
    problems: [
      ...faults.map((fault) => problem("markup", "a document that needs no repair", fault)),
      ...checkPage(state, expected),
      ...(timestamp === null ? [] : checkHydrationData(html, timestamp)),
    ],
  };
}

/** What the server says of itself, held against what was started and against `/proc`. */
function judgeInfo(
  { manifest, mode, pids }: VerifyOptions,
  pages: readonly Answered[],
): { info: BenchInfo | null; problems: readonly Problem[] } {
  const reply = pages.flatMap(pairsOf).find(({ ask }) => ask.question.kind === "info")?.reply;
  if (reply?.status !== 200) {
    return {
      info: null,
      problems: [problem("info-status", "/bench/info with status 200", String(reply?.status))],
    };
  }
  const parsed = parseBenchInfo(reply.body);
  if (parsed.info === null) return parsed;
  const { info } = parsed;
  const expected = { adapter: manifest.id, responseMode: mode, runtime: manifest.runtime };
  const facts = readLoaded(manifest, pids(), info);
  return { info, problems: [...checkBenchInfo(info, expected), ...judgeLoaded(manifest, info, facts)] };
}

/** The client's scripts and styles are built artifacts, byte for byte. */
function judgeServedFiles(files: readonly Answered[], { artifacts }: BenchInfo): Problem[] {
  const listed = new Set(artifacts.map(({ sha256 }) => sha256));
  return files.flatMap(pairsOf).flatMap(({ ask, reply }) => {
    if (ask.question.kind !== "asset" || ask.question.asset.kind === "icon" || reply?.status !== 200)
      return [];
    const sha256 = createHash("sha256").update(reply.body).digest("hex");
    return listed.has(sha256)
      ? []
      : [problem("asset-listed", `${ask.question.path} among /bench/info's artifacts`, `SHA-256 ${sha256}`)];
  });
}

/** Each bad client in turn, and beside or after it a good one that must be answered; then many connections. */
async function abuse(options: VerifyOptions, line: Line): Promise<Problem[]> {
  const { target, signal } = options;
  const problems: Problem[] = [];
  const stillRight = async (after: string): Promise<void> => {
    problems.push(
      ...(await askOnce(options, line)).map((one) => ({ ...one, expected: `${after}: ${one.expected}` })),
    );
  };
  const act = (how: Misbehaviour) => misbehave(target, FILTER_PATHS.all, how, rawSettings(signal));
  for (const afterBytes of [1, 2_000, 20_000]) {
    await act({ kind: "hang-up", afterBytes });
    await stillRight(`after a client that hung up at byte ${afterBytes}`);
  }
  const beside = stillRight("beside half a request");
  await act({ kind: "half-request", until: beside });
  await beside;
  await stillRight("after half a request");
  const [slow] = await Promise.all([
    act({ kind: "slow-reader", pauseMs: 50, pauses: 5 }),
    stillRight("beside a slow reader"),
  ]);
  if (!slow.complete)
    problems.push(problem("slow-reader", "the whole answer", "the connection ended before"));
  for (let turn = 1; turn <= CONNECTIONS_IN_FULL && problems.length === 0; turn += 1) {
    await stillRight(`connection ${turn} of ${CONNECTIONS_IN_FULL}, one after another`);
  }
  return problems;
}

/** One page over a connection of its own: as HTTP, and by its nonce. */
async function askOnce({ manifest, mode }: VerifyOptions, line: Line): Promise<Problem[]> {
  const [nonce = ""] = nonces(1);
  const ask: Ask = {
    question: { kind: "page", filter: "all", nonce, why: "plain" },
    request: get(`${FILTER_PATHS.all}?r=${nonce}`),
  };
  const [answered] = await line.hold([{ keepAlive: true, asks: [ask] }]);
  if (answered === undefined)
    return [problem("no-answer", "a server that answers", "none since an earlier request")];
  const shows = pairsOf(answered).some(
    ({ reply }) => reply !== null && decodeUtf8(reply.body)?.includes(nonce),
  );
  return [
    ...judgeHttp(answered, { mode, assetPath: manifest.assetPath }),
    ...(shows ? [] : [problem("nonce", `the nonce ${quote(nonce)}`, "a page without it")]),
  ];
}

function countFirst(pages: readonly Answered[], requests: number): Verified {
  const reply = pages.flatMap(pairsOf)[0]?.reply;
  return { bodyBytes: reply?.body.byteLength ?? 0, chunks: reply?.chunks ?? 0, requests };
}
