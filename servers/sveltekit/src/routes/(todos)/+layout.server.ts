import type { ServerLoad } from "@sveltejs/kit";
import { makeTodos, requestNonce } from "../../../../../todo/contract/data.ts";
import { responseMode } from "../../lib/server/responseMode.ts";

/** A promise is streamed when the page has been sent; a plain value is in the page, which is then one piece. */
export const load: ServerLoad = ({ url, untrack, setHeaders }) => {
  setHeaders({ "cache-control": "no-store" });
  const todos = makeTodos(new Date().toISOString());
  return {
    // Of the request that the page was made for: nothing is to be loaded anew where the address changes.
    nonce: untrack(() => requestNonce(url.searchParams.get("r"))),
    todos: responseMode === "progressive" ? Promise.resolve(todos) : todos,
  };
};
