/** The two ways that a response is made. Both take the timestamp when they are called, for all titles alike. */
import type { ServerResponse } from "node:http";
import { renderToString } from "preact-render-to-string";
import { renderToPipeableStream } from "preact-render-to-string/stream-node";
import { makeTodos } from "../../../todo/contract/data.ts";
import type { PageData } from "../../_kit/client/json.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import type { Page } from "../../_kit/server/site.ts";
import { Document } from "./Document.tsx";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;

/** Preact writes no doctype of its own where nothing suspends. */
const DOCTYPE = "<!DOCTYPE html>";

function pageData(page: Page): PageData {
  return { filter: page.filter, nonce: page.nonce, todos: makeTodos(new Date().toISOString()) };
}

/** Preact's streaming renderer, piped as soon as the shell is ready, and aborted when the client goes before the end. */
export function renderProgressive(page: Page, assets: PageAssets, response: ServerResponse): void {
  const { pipe, abort } = renderToPipeableStream(<Document data={pageData(page)} assets={assets} />, {
    onShellReady() {
      response.writeHead(200, HEADERS);
      response.write(DOCTYPE);
      pipe(response);
    },
    onError(error) {
      if (response.destroyed) return;
      console.error(error);
      response.destroy();
    },
  });
  response.on("close", abort);
}

/** One piece with its length. */
export function renderComplete(page: Page, assets: PageAssets, response: ServerResponse): void {
  const html = renderToString(<Document data={pageData(page)} assets={assets} />);
  const body = Buffer.from(DOCTYPE + html);
  response.writeHead(200, { ...HEADERS, "content-length": body.byteLength }).end(body);
}
