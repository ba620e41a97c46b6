/** A site behind a fetch handler, for the runtimes whose own servers take one. */
import type { FetchHandler } from "./handler.ts";
import type { Site } from "./host.ts";
import type { FixedAnswer } from "./site.ts";

/** Answers every request; what a handler throws or rejects with is left to the runtime's `failed`. */
export type FetchListener = (request: Request) => Response | Promise<Response>;

/** The listener of a site. A HEAD is answered like the GET: the runtimes leave the body out themselves. */
export function fetchListenerOf({ route, handler }: Site<FetchHandler>): FetchListener {
  return (request) => {
    const routed = route(request.method, targetOf(request.url));
    return routed.kind === "fixed" ? fixedResponse(routed.answer) : handler.respond(routed.page, request);
  };
}

/** What a runtime answers where a handler failed before it had a response. */
export function failureListenerOf({ onError }: Site<FetchHandler>): (error: unknown) => Response {
  return (error) => {
    onError(error);
    return new Response("Internal server error\n", { status: 500 });
  };
}

/** Path and query of a request's whole URL. */
function targetOf(url: string): string {
  return url.slice(url.indexOf("/", "http://".length));
}

function fixedResponse({ status, headers, body }: FixedAnswer): Response {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(new Uint8Array(body), { status, headers: pairs });
}
