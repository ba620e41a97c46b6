/** The two ways that a response is made on `node:http`. */
import type { ServerResponse } from "node:http";
import type { Page } from "../_kit/server/site.ts";
import type { TodoPage } from "../_webui/host/page.ts";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;

/** WebUI's streaming renderer, each chunk written as it comes; what the client doesn't take yet waits in its socket. */
export function renderProgressive(todoPage: TodoPage, page: Page, response: ServerResponse): void {
  response.writeHead(200, HEADERS);
  todoPage.stream(page, (chunk) => response.write(chunk));
  response.end();
}

/** One piece with its length. */
export function renderComplete(todoPage: TodoPage, page: Page, response: ServerResponse): void {
  const body = todoPage.render(page);
  response.writeHead(200, { ...HEADERS, "content-length": body.byteLength }).end(body);
}
