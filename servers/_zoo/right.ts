/** The right way: the template's page, rendered for its request and sent in the server's response mode. */

import { makeTodos } from "../../todo/contract/data.ts";
import type { ResponseMode } from "../_kit/server/arguments.ts";
import type { PageAssets } from "../_kit/server/assets.ts";
import { appMarkup, documentEnd, documentStart } from "../_template/app/markup.ts";
import type { Exchange, PageDocument, Right } from "./fault.ts";

/** What every right page is sent with. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
} as const;

export function rightWay(responseMode: ResponseMode, assets: PageAssets): Right {
  const data: Right["data"] = ({ filter, nonce }) => ({
    filter,
    nonce,
    todos: makeTodos(new Date().toISOString()),
  });
  const render: Right["render"] = (pageData) => ({
    start: documentStart(assets),
    app: appMarkup(pageData),
    end: documentEnd(pageData),
  });
  const send = responseMode === "progressive" ? sendInPieces : sendWhole;
  return {
    responseMode,
    data,
    render,
    send,
    respond: (exchange) => send(exchange, render(data(exchange.page))),
  };
}

export function textOf({ start, app, end }: PageDocument): string {
  return start + app + end;
}

/** In three pieces, without a length. */
export function sendInPieces({ response }: Exchange, { start, app, end }: PageDocument): void {
  response.writeHead(200, PAGE_HEADERS);
  response.write(start);
  response.write(app);
  response.end(end);
}

/** In one piece, with its length. */
export function sendWhole({ response }: Exchange, document: PageDocument): void {
  const body = Buffer.from(textOf(document));
  response.writeHead(200, { ...PAGE_HEADERS, "content-length": body.byteLength }).end(body);
}
