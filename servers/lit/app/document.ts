/** The whole document around the page: a template that exists on the server only. */
import { html } from "@lit-labs/ssr";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { DATA_ELEMENT_ID, scriptSafeJson } from "../../_kit/client/json.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import { type LitPageData, page, ROOT_ID } from "./page.ts";

export function document(data: LitPageData, { script, stylesheet, favicon }: PageAssets) {
  return html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Todos</title>
        <link rel="icon" type="image/svg+xml" href=${favicon}>
        <link rel="stylesheet" href=${stylesheet}>
        <script type="module" src=${script}></script>
      </head>
      <body>
        <main id=${ROOT_ID}>${page(data)}</main>
        <script id=${DATA_ELEMENT_ID} type="application/json">${unsafeHTML(scriptSafeJson(data))}</script>
      </body>
    </html>`;
}
