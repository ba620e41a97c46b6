import { DATA_ELEMENT_ID, type PageData, scriptSafeJson } from "../../_kit/client/json.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";
import { TodoApp } from "./TodoApp.tsx";

/** The element that the app is hydrated in. */
export const ROOT_ID = "root";

interface Props {
  readonly data: PageData;
  readonly assets: PageAssets;
}

/** The whole document, on the server only: the browser hydrates what stands in the root element. */
export function Document({ data, assets }: Props) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Todos</title>
        <link rel="icon" type="image/svg+xml" href={assets.favicon} />
        <link rel="stylesheet" href={assets.stylesheet} />
        <script type="module" src={assets.script} />
      </head>
      <body>
        <div id={ROOT_ID}>
          <TodoApp todos={data.todos} filter={data.filter} nonce={data.nonce} />
        </div>
        <script
          id={DATA_ELEMENT_ID}
          type="application/json"
          // JSON, escaped for where it stands.
          dangerouslySetInnerHTML={{ __html: scriptSafeJson(data) }}
        />
      </body>
    </html>
  );
}
