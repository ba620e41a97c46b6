/** What a fault is: something that changes one thing about a server that is otherwise right. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageData } from "../_kit/client/json.ts";
import type { ResponseMode } from "../_kit/server/arguments.ts";
import type { ServerInfo } from "../_kit/server/info.ts";
import type { Page } from "../_kit/server/site.ts";

/** One request for a page, and where its answer goes. */
export interface Exchange {
  readonly page: Page;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Which page request of the server's life it is, from 1. */
  readonly number: number;
  /** Which connection that asked for pages it came over, from 1. */
  readonly connection: number;
  /** How many such connections are open, this one included. */
  readonly openConnections: number;
}

/** A page in the three pieces that `progressive` sends. */
export interface PageDocument {
  readonly start: string;
  readonly app: string;
  readonly end: string;
}

/** How a right server does it, step by step, for a fault to use in part. */
export interface Right {
  readonly responseMode: ResponseMode;
  /** The page's data, its timestamp taken now. */
  readonly data: (page: Page) => PageData;
  readonly render: (data: PageData) => PageDocument;
  /** Sends in the server's response mode. */
  readonly send: (exchange: Exchange, document: PageDocument) => void;
  /** All of it. */
  readonly respond: (exchange: Exchange) => void;
}

/** What a fault does in place of the right way; what it leaves out stays right. */
export interface Hooks {
  /** Answers a request for a page. */
  readonly respond?: (exchange: Exchange) => void;
  /** What `/bench/info` says. */
  readonly info?: (right: ServerInfo) => ServerInfo;
  /** Called on SIGTERM and SIGINT; `close` is the right way to end. */
  readonly terminate?: (close: () => void) => void;
}

export interface Fault {
  /** In a few words. */
  readonly what: string;
  /** Called once, when the server starts: what it has to remember lives in this call. */
  readonly make: (right: Right) => Hooks;
}

/** Faults by the name that `--fault` takes. */
export type Faults = Readonly<Record<string, Fault>>;
