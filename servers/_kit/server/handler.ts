/** What an adapter gives the kit: its renderer behind one of the two shapes that frameworks know. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "./site.ts";

/** For frameworks that write to Node's response. Throwing, or rejecting, before the head is sent answers 500. */
export interface NodeHandler {
  readonly kind: "node";
  readonly respond: (page: Page, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
}

/** For frameworks that take a `Request` and give a `Response`. The request's signal aborts when the client goes. */
export interface FetchHandler {
  readonly kind: "fetch";
  readonly respond: (page: Page, request: Request) => Response | Promise<Response>;
}

export type Handler = NodeHandler | FetchHandler;
