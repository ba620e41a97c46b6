/** The two ways that a response is made. Both take the timestamp when they are called, for all titles alike. */
import type { ServerResponse } from "node:http";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { makeTodos } from "../../../todo/contract/data.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import type { Page } from "../../_kit/server/site.ts";
import { Document, type DocumentData } from "./Document.tsx";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;

function documentData(page: Page, assets: PageAssets, script: string | null): DocumentData {
  const { stylesheet, favicon } = assets;
  return {
    script,
    filter: page.filter,
    nonce: page.nonce,
    todos: makeTodos(new Date().toISOString()),
    assets: { stylesheet, favicon },
  };
}

/** React's streaming renderer, piped as soon as the shell is ready; it aborts by itself when the client goes. */
export function renderProgressive(page: Page, assets: PageAssets, response: ServerResponse): void {
  const data = documentData(page, assets, null);
  const { pipe } = renderToPipeableStream(<Document data={data} />, {
    bootstrapModules: [assets.script],
    onShellReady() {
      response.writeHead(200, HEADERS);
      pipe(response);
    },
    onShellError() {
      response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end("Internal server error\n");
    },
    onError(error) {
      if (!response.destroyed) console.error(error);
    },
  });
}

/**
 * One piece with its length. `renderToString` is React's way to a whole document at once; what its documentation warns
 * of, that it waits for no data, doesn't matter to a tree whose data is there. Unlike the streaming renderer it adds
 * neither the doctype nor the bootstrap script.
 */
export function renderComplete(page: Page, assets: PageAssets, response: ServerResponse): void {
  const data = documentData(page, assets, assets.script);
  const body = Buffer.from(`<!DOCTYPE html>${renderToString(<Document data={data} />)}`);
  response.writeHead(200, { ...HEADERS, "content-length": body.byteLength }).end(body);
}
