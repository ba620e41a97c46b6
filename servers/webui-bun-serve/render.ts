/** The two ways that a response is made on `Bun.serve`. */
import type { Page } from "../_kit/server/site.ts";
import type { TodoPage } from "../_webui/host/page.ts";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;

/** Bun's own kind of stream source, whose chunks go to the socket without a queue in between. */
interface DirectSource {
  readonly type: "direct";
  readonly pull: (controller: DirectController) => void;
}

interface DirectController {
  readonly write: (chunk: string) => number | Promise<number>;
  readonly close: () => void;
}

/** WebUI's streaming renderer, each chunk written as it comes; what the client doesn't take yet waits in its socket. */
export function renderProgressive(todoPage: TodoPage, page: Page): Response {
  const source: DirectSource = {
    type: "direct",
    pull(controller) {
      todoPage.stream(page, (chunk) => controller.write(chunk));
      controller.close();
    },
  };
  // The types at hand are the standard's, which has no direct sources.
  return new Response(new ReadableStream(source as unknown as UnderlyingDefaultSource), { headers: HEADERS });
}

/** One piece, whose length Bun adds. */
export function renderComplete(todoPage: TodoPage, page: Page): Response {
  return new Response(new Uint8Array(todoPage.render(page)), { headers: HEADERS });
}
