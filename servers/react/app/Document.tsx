import { DATA_ELEMENT_ID, type PageData, scriptSafeJson } from "../../_kit/client/json.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import { HistoryTodoApp } from "../../_react/HistoryTodoApp.tsx";

/** What both sides render the document from. */
export interface DocumentData extends PageData {
  readonly assets: Pick<PageAssets, "stylesheet" | "favicon">;
  /** The client's script where the document itself has to load it, null where the streaming renderer adds it. */
  readonly script: string | null;
}

/** The whole document, as React's streaming renderer expects it of the root component. */
export function Document({ data }: { readonly data: DocumentData }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Todos</title>
        <link rel="icon" type="image/svg+xml" href={data.assets.favicon} />
        <link rel="stylesheet" href={data.assets.stylesheet} />
        {data.script !== null && <script type="module" src={data.script} />}
      </head>
      <body>
        <HistoryTodoApp todos={data.todos} filter={data.filter} nonce={data.nonce} />
        <script
          id={DATA_ELEMENT_ID}
          type="application/json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, escaped for where it stands
          dangerouslySetInnerHTML={{ __html: scriptSafeJson(data) }}
        />
      </body>
    </html>
  );
}
