/** Pages that were made for another request, or before anybody asked. */
import { setTimeout as delay } from "node:timers/promises";
import type { PageData } from "../../_kit/client/json.ts";
import type { Exchange, Fault, Faults, PageDocument } from "../fault.ts";

/** A response kept for a while, for each path. */
function cached(
  what: string,
  forMs: number,
  dress: (page: PageDocument, exchange: Exchange) => PageDocument,
): Fault {
  return {
    what,
    make(right) {
      const kept = new Map<string, { readonly document: PageDocument; readonly untilMs: number }>();
      return {
        respond(exchange) {
          const { filter } = exchange.page;
          let entry = kept.get(filter);
          if (entry === undefined || entry.untilMs < performance.now()) {
            const document = right.render(right.data(exchange.page));
            entry = { document, untilMs: performance.now() + forMs };
            kept.set(filter, entry);
          }
          right.send(exchange, dress(entry.document, exchange));
        },
      };
    },
  };
}

const asItWas = (document: PageDocument): PageDocument => document;

const ATTRIBUTE = /data-request="[^"]*"/;
const MEMBER = /"nonce":"[^"]*"/;

/** A page made for another request, with this one's nonce put in. */
function patched(document: PageDocument, { page }: Exchange): PageDocument {
  return {
    ...document,
    app: document.app.replace(ATTRIBUTE, `data-request="${page.nonce}"`),
    end: document.end.replace(MEMBER, `"nonce":"${page.nonce}"`),
  };
}

export const REUSE_FAULTS = {
  "cached-second": cached("a response cached for a second", 1_000, asItWas),
  "cached-second-patched": cached("the same, with each request's own nonce put in", 1_000, patched),
  "cached-10-ms": cached("a response cached for ten milliseconds", 10, asItWas),
  "cached-10-ms-patched": cached("the same, with each request's own nonce put in", 10, patched),
  "rendered-ahead": {
    what: "a page rendered when the one before it was sent, with its request's nonce put in",
    make(right) {
      const ahead = new Map<string, PageDocument>();
      return {
        respond(exchange) {
          const { page } = exchange;
          right.send(exchange, patched(ahead.get(page.filter) ?? right.render(right.data(page)), exchange));
          ahead.set(page.filter, right.render(right.data(page)));
        },
      };
    },
  },
  "shared-state": {
    what: "the request's data in a variable that all requests share while they are rendered",
    make(right) {
      let current: PageData | null = null;
      return {
        respond(exchange) {
          current = right.data(exchange.page);
          void delay(1).then(() => right.send(exchange, right.render(current ?? right.data(exchange.page))));
        },
      };
    },
  },
  "stale-data": {
    what: "the page of this request, with the hydration data of the one before it",
    make(right) {
      let previous: PageData | null = null;
      return {
        respond(exchange) {
          const data = right.data(exchange.page);
          const { todos } = previous ?? data;
          previous = data;
          right.send(exchange, { ...right.render(data), end: right.render({ ...data, todos }).end });
        },
      };
    },
  },
} satisfies Faults;
