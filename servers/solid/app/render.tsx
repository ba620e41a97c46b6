/** The two ways that a response is made. Both take the timestamp when they are called, for all titles alike. */
import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { generateHydrationScript, renderToStream, renderToStringAsync } from "solid-js/web";
import { FILTER_PATHS, makeTodos } from "../../../todo/contract/data.ts";
import { DATA_ELEMENT_ID, type PageData, scriptSafeJson } from "../../_kit/client/json.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import type { Page } from "../../_kit/server/site.ts";
import { App } from "./App.tsx";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;
const HYDRATION_SCRIPT = generateHydrationScript();

function documentStart({ script, stylesheet, favicon }: PageAssets): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Todos</title><link rel="icon" type="image/svg+xml" href="${favicon}"><link rel="stylesheet" href="${stylesheet}"><script type="module" src="${script}"></script>${HYDRATION_SCRIPT}</head><body><div id="app">`;
}

function documentEnd(data: PageData): string {
  return `</div><script id="${DATA_ELEMENT_ID}" type="application/json">${scriptSafeJson(data)}</script></body></html>`;
}

function prepare({ filter, nonce }: Page) {
  const data: PageData = { filter, nonce, todos: makeTodos(new Date().toISOString()) };
  return { data, app: () => <App todos={data.todos} nonce={nonce} url={FILTER_PATHS[filter]} /> };
}

/** Solid's streaming renderer between the document's two ends; each part is sent as soon as it is there. */
export function renderProgressive(page: Page, assets: PageAssets, response: ServerResponse): void {
  const { data, app } = prepare(page);
  response.writeHead(200, HEADERS);
  response.write(documentStart(assets));
  // The renderer ends what it writes to, and the document goes on behind it.
  const body = new PassThrough();
  body.once("end", () => response.end(documentEnd(data)));
  response.once("close", () => body.destroy());
  body.pipe(response, { end: false });
  renderToStream(app).pipe(body);
}

/** One piece with its length. */
export async function renderComplete(
  page: Page,
  assets: PageAssets,
  response: ServerResponse,
): Promise<void> {
  const { data, app } = prepare(page);
  const body = Buffer.from(documentStart(assets) + (await renderToStringAsync(app)) + documentEnd(data));
  response.writeHead(200, { ...HEADERS, "content-length": body.byteLength }).end(body);
}
