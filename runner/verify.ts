/**
 * The workload's contract on a running server: HTTP on a bare socket, the DOM of the raw responses, and what its
 * processes have really loaded. Every breach is data; only the machine's own faults throw.
 */
import { createHash } from "node:crypto";
import { judgeLoaded, readLoaded } from "../harness/loaded.ts";
import type { AdapterManifest } from "../harness/manifest.ts";
import { readOutboundPorts } from "../harness/outbound.ts";
import type { RawTarget } from "../harness/raw-http.ts";
import type { ResponseMode, Verified } from "../report/schema.ts";
import {
  type BenchInfo,
  checkBenchInfo,
  type LoadedArtifact,
  parseBenchInfo,
} from "../todo/contract/bench-info.ts";
import { FILTER_PATHS } from "../todo/contract/data.ts";
import {
  assetConversation,
  checkAssetReferences,
  checkConnection,
  checkExchange,
  type HttpContext,
  illFormedConversation,
  methodConversations,
  missingConversations,
  pageConversation,
} from "../todo/contract/http.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { condense, problem } from "../todo/contract/problems.ts";
import { abuse } from "./abuse.ts";
import { judgeOwn, judgePages, plainPage } from "./judge-page.ts";
import { type Answered, conversationOf, type Line, openLine, pairsOf, rawSettings } from "./line.ts";

/** `before-load`: what requests can show in about half a second; `full`: bad clients and a thousand connections too. */
export type VerifyDepth = "before-load" | "full";

export interface VerifyOptions {
  readonly target: RawTarget;
  readonly manifest: AdapterManifest;
  /** What the manifest's build made. */
  readonly artifacts: readonly LoadedArtifact[];
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

/** Connections that ask for a page at the same time: enough to meet in a server that shares what is one request's. */
const AT_ONCE = 8;
/** Pages asked for one right after the other: enough for what is kept for a few milliseconds only to be met again. */
const IN_A_ROW = 16;
/** Checks a running server against the whole contract. @throws the signal's reason when it aborts */
export async function verifyServer(options: VerifyOptions): Promise<Verification> {
  const { manifest, mode, depth } = options;
  const line = openLine(options.target, options.signal);
  const pages = await line.hold([
    pageConversation(line.nonces(7)),
    ...(depth === "full" ? [illFormedConversation()] : []),
  ]);
  const { assets, problems: pageProblems } = judgePages(pages);
  const crowd = await line.holdAtOnce(line.nonces(AT_ONCE).map((nonce) => conversationOf(plainPage(nonce))));
  const rapid = await line.hold([{ keepAlive: true, asks: line.nonces(IN_A_ROW).map(plainPage) }]);
  const files = await line.hold([assetConversation(assets, FILTER_PATHS.all)]);
  const others = await line.hold([...missingConversations(manifest.assetPath), ...methodConversations()]);
  const { info, problems: infoProblems } = judgeInfo(options, pages);
  const abused = depth === "full" ? await abuseServer(options, line) : [];
  const problems = [
    ...[...pages, ...crowd, ...rapid, ...files, ...others].flatMap((answered) =>
      judgeHttp(answered, { mode, assetPath: manifest.assetPath }),
    ),
    ...pageProblems,
    ...judgePages(crowd).problems,
    ...rapid.flatMap(judgeOwn),
    ...checkAssetReferences(assets, FILTER_PATHS.all, manifest.assetPath),
    ...infoProblems,
    ...(info === null ? [] : judgeServedFiles(files, info)),
    ...judgeOutbound(options),
  ];
  return { problems: [...condense(problems), ...abused], verified: countFirst(pages, line.requests()), info };
}

function judgeHttp(answered: Answered, context: HttpContext): Problem[] {
  return [
    ...checkConnection(answered.conversation, answered.exchanges),
    ...pairsOf(answered).flatMap(({ ask, exchange }) => checkExchange(ask, exchange, context)),
  ];
}

/** What the server says of itself, held against what was started and against `/proc`. */
function judgeInfo(
  { manifest, artifacts, mode, pids }: VerifyOptions,
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
  return {
    info,
    problems: [...checkBenchInfo(info, expected), ...judgeLoaded({ manifest, artifacts }, info, facts)],
  };
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

/** A server asks nobody: what does its work elsewhere is neither pinned nor sampled. */
function judgeOutbound({ target, pids }: VerifyOptions): Problem[] {
  return readOutboundPorts(pids(), target.port).map((port) =>
    problem("outbound", "no connection of the server's own", `one to port ${port}`),
  );
}

function abuseServer(options: VerifyOptions, line: Line): Promise<Problem[]> {
  const { target, manifest, mode, signal } = options;
  return abuse({
    ...rawSettings(signal),
    target,
    mode,
    assetPath: manifest.assetPath,
    askOnce: () => askOnce(options, line),
  });
}

/** One page over a connection of its own: as HTTP, and by its nonce and timestamp. */
async function askOnce({ manifest, mode }: VerifyOptions, line: Line): Promise<Problem[]> {
  const [nonce = ""] = line.nonces(1);
  const [answered] = await line.hold([conversationOf(plainPage(nonce))]);
  if (answered === undefined)
    return [problem("no-answer", "a server that answers", "none since an earlier request")];
  return [...judgeHttp(answered, { mode, assetPath: manifest.assetPath }), ...judgeOwn(answered)];
}

function countFirst(pages: readonly Answered[], requests: number): Verified {
  const reply = pages.flatMap(pairsOf)[0]?.reply;
  return { bodyBytes: reply?.body.byteLength ?? 0, chunks: reply?.chunks ?? 0, requests };
}
