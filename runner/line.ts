/** The verifier's conversations with a server, recorded as they went. */
import { converse, isHopeless, type RawSettings, type RawTarget } from "../harness/raw-http.ts";
import type { Ask, Conversation, Exchange, Reply } from "../todo/contract/http.ts";
import { nonceSource } from "./load/nonce.ts";

const TIMEOUT_MS = 5_000;

/** A conversation and as many of its answers as were to be had. */
export interface Answered {
  readonly conversation: Conversation;
  readonly exchanges: readonly Exchange[];
}

/** How the verifier talks to the server. */
export interface Line {
  /** Holds the conversations in turn, until the server is past hope. */
  hold(conversations: readonly Conversation[]): Promise<Answered[]>;
  /** Holds the conversations side by side, each over a connection of its own. */
  holdAtOnce(conversations: readonly Conversation[]): Promise<Answered[]>;
  /** Nonces that no other request has, of the very form that the load's have. */
  nonces(count: number): string[];
  /** Requests sent so far. */
  requests(): number;
}

/** @throws each call: the signal's reason when it aborts */
export function openLine(target: RawTarget, signal: AbortSignal): Line {
  let requests = 0;
  let hopeless = false;
  const nextNonce = nonceSource();
  const holdOne = async (conversation: Conversation): Promise<Answered> => {
    const asked = conversation.asks.map(({ request }) => request);
    const exchanges = await converse(target, asked, rawSettings(signal));
    signal.throwIfAborted();
    requests += exchanges.length;
    hopeless ||= exchanges.some(isHopeless);
    return { conversation, exchanges };
  };
  return {
    requests: () => requests,
    nonces: (count) => Array.from({ length: count }, nextNonce),
    async hold(conversations) {
      const answered: Answered[] = [];
      for (const conversation of conversations) {
        if (hopeless) break;
        answered.push(await holdOne(conversation));
      }
      return answered;
    },
    async holdAtOnce(conversations) {
      return hopeless ? [] : await Promise.all(conversations.map(holdOne));
    },
  };
}

/** How long the verifier waits for an answer, and what ends it. */
export function rawSettings(signal: AbortSignal): RawSettings {
  return { timeoutMs: TIMEOUT_MS, signal };
}

/** Over a connection of its own. */
export function conversationOf(ask: Ask): Conversation {
  return { keepAlive: true, asks: [ask] };
}

/** One request of a conversation, and what came of it. */
export interface Pair {
  readonly ask: Ask;
  readonly exchange: Exchange;
  /** Null where there was no whole answer. */
  readonly reply: Reply | null;
}

/** The requests that were sent, in order. */
export function pairsOf({ conversation, exchanges }: Answered): Pair[] {
  return exchanges.flatMap((exchange, index) => {
    const ask = conversation.asks[index];
    if (ask === undefined) return [];
    return [{ ask, exchange, reply: exchange.outcome.kind === "reply" ? exchange.outcome.reply : null }];
  });
}
