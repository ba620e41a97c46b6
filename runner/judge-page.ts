/** The page in a raw reply, held to the contract: the verifier's own replies, and those kept under load. */
import { parsePage } from "../harness/parse5-node.ts";
import { FILTER_PATHS } from "../todo/contract/data.ts";
import {
  type Ask,
  checkReply,
  decodeUtf8,
  get,
  type HttpContext,
  label,
  type Reply,
} from "../todo/contract/http.ts";
import {
  checkHydrationData,
  checkOwnPage,
  checkPage,
  type ExpectedPage,
  timestampOf,
} from "../todo/contract/page-check.ts";
import { type AssetReference, readPage } from "../todo/contract/page-state.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { problem } from "../todo/contract/problems.ts";
import { type Answered, pairsOf } from "./line.ts";
import type { KeptReply } from "./load/port.ts";

/** Some thirty times what renderers write for a hundred todos; a larger page isn't parsed. */
const MOST_PAGE_BYTES = 2 * 1024 * 1024;

/** The very request that the load sends. */
export function plainPage(nonce: string): Ask {
  return {
    question: { kind: "page", filter: "all", nonce, why: "plain" },
    request: get(`${FILTER_PATHS.all}?r=${nonce}`),
  };
}

/** The DOM of every page that came with status 200, and the files that any of them refers to. */
export function judgePages(pages: readonly Answered[]): { assets: AssetReference[]; problems: Problem[] } {
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

/** Whether each page of a conversation was made for its own request. */
export function judgeOwn(answered: Answered): Problem[] {
  return pairsOf(answered).flatMap(({ ask, exchange, reply }) => {
    if (ask.question.kind !== "page" || reply === null) return [];
    return checkOwnPage(decodeUtf8(reply.body) ?? "", ask.question.nonce, exchange);
  });
}

/**
 * Checks a reply kept under load as the verifier checks a page of its own: its head and framing, and its DOM with its
 * own nonce exactly and its timestamp inside its own request's times.
 */
export function checkKeptReply(kept: KeptReply, context: HttpContext): Problem[] {
  const { nonce, body, framing, sentAtMs, endedAtMs } = kept;
  // The load's client tells whether there were chunks, not how many.
  const reply: Reply = { ...kept, chunks: framing === "chunked" ? 1 : 0, interim: [] };
  return [
    ...checkReply(plainPage(nonce).question, reply, context),
    ...checkBody(body, { filter: "all", nonce, sentAtMs, endedAtMs }).problems,
  ];
}

function checkBody(
  body: Uint8Array,
  expected: ExpectedPage,
): { problems: Problem[]; assets: readonly AssetReference[] } {
  if (body.byteLength > MOST_PAGE_BYTES) {
    const most = `at most ${MOST_PAGE_BYTES} bytes`;
    return { problems: [problem("page-size", most, `${body.byteLength}`)], assets: [] };
  }
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
