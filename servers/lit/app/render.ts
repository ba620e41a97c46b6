/** The two ways that a response is made. Both take the timestamp when they are called, for all titles alike. */
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { renderThunked } from "@lit-labs/ssr";
import { collectResult, type ThunkedRenderResult } from "@lit-labs/ssr/lib/render-result.js";
import { RenderResultReadable } from "@lit-labs/ssr/lib/render-result-readable.js";
import { makeTodos } from "../../../todo/contract/data.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import type { Page } from "../../_kit/server/site.ts";
import { document } from "./document.ts";

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } as const;

/** The app's element waits for its data in the browser, as the elements inside it wait for theirs. */
const OPTIONS = { deferHydration: true } as const;

function renderDocument({ filter, nonce }: Page, assets: PageAssets): ThunkedRenderResult {
  const todos = makeTodos(new Date().toISOString());
  return renderThunked(document({ filter, nonce, todos, stylesheet: assets.stylesheet }, assets), OPTIONS);
}

/** Lit's stream, piece by piece as the templates give them, no faster than the client reads. */
export function renderProgressive(page: Page, assets: PageAssets, response: ServerResponse): void {
  response.writeHead(200, HEADERS);
  pipeline(new RenderResultReadable(renderDocument(page, assets)), response, (error) => {
    // A client that goes before the end is no fault of the server.
    if (error && (error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") console.error(error);
  });
}

/** One piece with its length. */
export async function renderComplete(
  page: Page,
  assets: PageAssets,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.from(await collectResult(renderDocument(page, assets)));
  response.writeHead(200, { ...HEADERS, "content-length": body.byteLength }).end(body);
}
