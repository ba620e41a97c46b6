/** The two ways that a response is made. Both take the timestamp when they are called, for all titles alike. */
import type { ServerResponse } from "node:http";
import { makeTodos } from "../../../todo/contract/data.ts";
import type { PageData } from "../../_kit/client/json.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import type { Page } from "../../_kit/server/site.ts";
import { appMarkup, documentEnd, documentStart } from "./markup.ts";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;

function pageData({ filter, nonce }: Page): PageData {
  return { filter, nonce, todos: makeTodos(new Date().toISOString()) };
}

/** Head, list and tail, each sent as soon as it is there. */
export function renderProgressive(page: Page, assets: PageAssets, response: ServerResponse): void {
  const data = pageData(page);
  response.writeHead(200, HEADERS);
  response.write(documentStart(assets));
  response.write(appMarkup(data));
  response.end(documentEnd(data));
}

/** One piece with its length. */
export function renderComplete(page: Page, assets: PageAssets, response: ServerResponse): void {
  const data = pageData(page);
  const body = Buffer.from(documentStart(assets) + appMarkup(data) + documentEnd(data));
  response.writeHead(200, { ...HEADERS, "content-length": body.byteLength }).end(body);
}
