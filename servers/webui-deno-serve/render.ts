/** The two ways that a response is made on `Deno.serve`. */
import type { Page } from "../_kit/server/site.ts";
import type { TodoPage } from "../_webui/host/page.ts";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;
const utf8 = new TextEncoder();

/** WebUI's streaming renderer; its chunks wait in the stream, and go out as fast as the client takes them. */
export function renderProgressive(todoPage: TodoPage, page: Page): Response {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      todoPage.stream(page, (chunk) => controller.enqueue(utf8.encode(chunk)));
      controller.close();
    },
  });
  return new Response(body, { headers: HEADERS });
}

/** One piece, whose length Deno adds. */
export function renderComplete(todoPage: TodoPage, page: Page): Response {
  return new Response(new Uint8Array(todoPage.render(page)), { headers: HEADERS });
}
