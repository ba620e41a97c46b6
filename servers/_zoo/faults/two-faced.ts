/** Servers that are right for whoever looks and wrong for whoever measures, or the other way round. */
import type { Exchange, Fault, Faults } from "../fault.ts";
import { CONTENT_FAULTS } from "./content.ts";
import { HTTP_FAULTS } from "./http.ts";
import { REUSE_FAULTS } from "./reuse.ts";
import { WIRE_FAULTS } from "./wire.ts";

/** So many open connections are the load, not somebody who looks. */
const CROWD = 16;

/** Connections of the measured load; one of the probes has twice as many. */
const MEASURED = 64;

/** The contract's longest, which only somebody who looks sends. */
const LONGEST_NONCE = 32;

type Condition = (exchange: Exchange) => boolean;

/** @param begin called when the server starts; what it returns says which requests meet the fault */
function only(what: string, fault: Fault, begin: () => Condition): Fault {
  return {
    what: `${fault.what}: ${what}`,
    make(right) {
      const faulty = fault.make(right).respond ?? right.respond;
      const isMeant = begin();
      return { respond: (exchange) => (isMeant(exchange) ? faulty : right.respond)(exchange) };
    },
  };
}

const crowded: Condition = ({ openConnections }) => openConnections >= CROWD;

function underLoad(fault: Fault): Fault {
  return only("under load", fault, () => crowded);
}

/** @param count how many pass before it, of those under load */
function underLoadEvery(count: number, fault: Fault): Fault {
  return only(`one in ${count} under load`, fault, () => {
    let seen = 0;
    return (exchange) => {
      if (!crowded(exchange)) return false;
      seen += 1;
      return seen % count === 0;
    };
  });
}

/** @param first its number, from 1 */
function fromRequest(first: number): () => Condition {
  return () => (exchange) => exchange.number >= first;
}

const LESS = CONTENT_FAULTS["99-items"];

export const TWO_FACED_FAULTS = {
  "wrong-by-head": only("for plain requests with another head than the first one's", LESS, () => {
    let first: string | null = null;
    return ({ request, page }) => {
      const { "accept-encoding": offered, "if-none-match": condition } = request.headers;
      if (page.nonce === "" || offered !== undefined || condition !== undefined) return false;
      const head = JSON.stringify(request.rawHeaders);
      first ??= head;
      return head !== first;
    };
  }),
  "wrong-by-nonce": only("for nonces of another form than the first one's", LESS, () => {
    let first: string | null = null;
    return ({ page }) => {
      if (page.nonce === "" || page.nonce.length === LONGEST_NONCE) return false;
      const form = formOf(page.nonce);
      first ??= form;
      return form !== first;
    };
  }),
  "wrong-by-connections": underLoad(LESS),
  "wrong-by-count": only("from the 200th request on", LESS, fromRequest(200)),
  "wrong-by-time": only("a second after the crowd came", LESS, () => {
    let sinceMs: number | null = null;
    return (exchange) => {
      if (!crowded(exchange)) return false;
      sinceMs ??= performance.now();
      return performance.now() - sinceMs >= 1_000;
    };
  }),
  "wrong-after-load": only("once the load is over", LESS, () => {
    let wasCrowded = false;
    return (exchange) => {
      wasCrowded ||= crowded(exchange);
      return wasCrowded && !crowded(exchange);
    };
  }),
  "framed-otherwise-by-load": {
    what: "under load in the other response mode",
    make(right) {
      const other =
        right.responseMode === "progressive" ? "progressive-with-length" : "complete-without-length";
      return underLoad(HTTP_FAULTS[other]).make(right);
    },
  },
  "plain-text-by-load": underLoad(HTTP_FAULTS["plain-text"]),
  "cached-by-load": underLoad(REUSE_FAULTS["cached-second-patched"]),
  "cut-by-fin-1-in-50": underLoadEvery(50, WIRE_FAULTS["cut-by-fin"]),
  "cut-by-rst-1-in-50": underLoadEvery(50, WIRE_FAULTS["cut-by-rst"]),
  "bad-gateway-1-in-1000": underLoadEvery(1_000, HTTP_FAULTS["bad-gateway"]),
  "bad-gateway-in-double-load": only("beyond 64 connections", HTTP_FAULTS["bad-gateway"], () => {
    return ({ openConnections }) => openConnections > MEASURED;
  }),
  "short-page-1-in-50": underLoadEvery(50, CONTENT_FAULTS["one-item"]),
  "silent-by-load": underLoad(WIRE_FAULTS.silent),
  "silent-on-one": only("on one connection of many", WIRE_FAULTS.silent, () => {
    let victim: number | null = null;
    return (exchange) => {
      if (crowded(exchange)) victim ??= exchange.connection;
      return exchange.connection === victim;
    };
  }),
  ...Object.fromEntries(
    Object.entries({ ...WIRE_FAULTS, ...HTTP_FAULTS }).map(([name, fault]) => [
      `${name}-after-start`,
      // The first request is the launch's own.
      only("from the second request on", fault, fromRequest(2)),
    ]),
  ),
} satisfies Faults;

/** A nonce's length, its kind of digits, and whether it is filled up with zeros. */
function formOf(nonce: string): string {
  return `${nonce.length} ${/[g-z]/.test(nonce)} ${nonce.includes("000000")}`;
}
