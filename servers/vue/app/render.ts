/** The two ways that a response is made. Both take the timestamp when they are called, for all titles alike. */
import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import type { App } from "vue";
import { pipeToNodeWritable, renderToString } from "vue/server-renderer";
import { createMemoryHistory } from "vue-router";
import { FILTER_PATHS, makeTodos } from "../../../todo/contract/data.ts";
import { DATA_ELEMENT_ID, type PageData, scriptSafeJson } from "../../_kit/client/json.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import type { Page } from "../../_kit/server/site.ts";
import { createTodoApp } from "./app.ts";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;

function documentStart({ script, stylesheet, favicon }: PageAssets): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Todos</title><link rel="icon" type="image/svg+xml" href="${favicon}"><link rel="stylesheet" href="${stylesheet}"><script type="module" src="${script}"></script></head><body><div id="app">`;
}

function documentEnd(data: PageData): string {
  return `</div><script id="${DATA_ELEMENT_ID}" type="application/json">${scriptSafeJson(data)}</script></body></html>`;
}

/** The request's data, and its app at the request's place. */
async function prepare({ filter, nonce }: Page): Promise<{ data: PageData; app: App }> {
  const data = { filter, nonce, todos: makeTodos(new Date().toISOString()) };
  const { app, router } = createTodoApp(data, createMemoryHistory());
  await router.push(FILTER_PATHS[filter]);
  return { data, app };
}

/** Vue's streaming renderer between the document's two ends; each part is sent as soon as it is there. */
export async function renderProgressive(
  page: Page,
  assets: PageAssets,
  response: ServerResponse,
): Promise<void> {
  const { data, app } = await prepare(page);
  response.writeHead(200, HEADERS);
  response.write(documentStart(assets));
  // The renderer ends what it writes to, and the document goes on behind it.
  const body = new PassThrough();
  body.once("end", () => response.end(documentEnd(data)));
  body.once("error", (error) => response.destroy(error));
  response.once("close", () => body.destroy());
  body.pipe(response, { end: false });
  pipeToNodeWritable(app, {}, body);
}

/** One piece with its length. */
export async function renderComplete(
  page: Page,
  assets: PageAssets,
  response: ServerResponse,
): Promise<void> {
  const { data, app } = await prepare(page);
  const body = Buffer.from(documentStart(assets) + (await renderToString(app)) + documentEnd(data));
  response.writeHead(200, { ...HEADERS, "content-length": body.byteLength }).end(body);
}
