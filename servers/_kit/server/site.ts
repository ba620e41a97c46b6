/**
 * What a server answers, apart from how its runtime listens: which requests are pages, and the fixed answers to all
 * others.
 */
import { type Filter, filterOfPath, requestNonce } from "../../../todo/contract/data.ts";
import type { Asset } from "./assets.ts";
import type { ServerInfo } from "./info.ts";

/** A request for a page. */
export interface Page {
  readonly filter: Filter;
  /** The well-formed `r` of the query, or nothing. */
  readonly nonce: string;
}

/** An answer that doesn't depend on the request. */
export interface FixedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
}

export type Route =
  | { readonly kind: "page"; readonly page: Page }
  | { readonly kind: "fixed"; readonly answer: FixedAnswer };

/** How a request is to be answered. @param target path and query as they came in the request */
export type Router = (method: string, target: string) => Route;

function fixed(
  status: number,
  contentType: string,
  text: string,
  more: Readonly<Record<string, string>> = {},
): Route {
  const body = new TextEncoder().encode(text);
  const headers = { "content-type": contentType, "content-length": body.byteLength, ...more };
  return { kind: "fixed", answer: { status, headers, body } };
}

/** The whole site of one adapter. */
export function createRouter(info: ServerInfo, assets: ReadonlyMap<string, Asset>): Router {
  const files = new Map<string, Route>();
  for (const [path, asset] of assets) {
    files.set(path, { kind: "fixed", answer: { status: 200, headers: asset.headers, body: asset.body } });
  }
  files.set(
    "/bench/info",
    fixed(200, "application/json", JSON.stringify(info), { "cache-control": "no-store" }),
  );
  const notFound = fixed(404, "text/plain; charset=utf-8", "Not found\n");
  const notAllowed = fixed(405, "text/plain; charset=utf-8", "Method not allowed\n", { allow: "GET, HEAD" });

  return (method, target) => {
    const queryAt = target.indexOf("?");
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    const filter = filterOfPath(path);
    if (filter === null) {
      const file = files.get(path);
      if (file === undefined) return notFound;
      return method === "GET" || method === "HEAD" ? file : notAllowed;
    }
    if (method !== "GET" && method !== "HEAD") return notAllowed;
    const nonce = queryAt < 0 ? "" : nonceOf(target.slice(queryAt + 1));
    return { kind: "page", page: { filter, nonce } };
  };
}

/** A well-formed nonce needs no decoding: anything that would is ignored. */
function nonceOf(query: string): string {
  for (const pair of query.split("&")) {
    if (pair.startsWith("r=")) return requestNonce(pair.slice(2));
  }
  return "";
}
