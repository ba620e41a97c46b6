import path from "node:path";
import { bunHost } from "../_kit/server/bun.ts";
import { serve } from "../_kit/server/serve.ts";
import { TodoPage } from "../_webui/host/page.ts";
import { webuiVersion } from "../_webui/host/version.ts";
import manifest from "./adapter.json" with { type: "json" };
import { renderComplete, renderProgressive } from "./render.ts";

await serve(
  {
    manifest,
    folder: path.resolve(import.meta.dirname, ".."),
    frameworkVersion: webuiVersion,
    handler(responseMode) {
      const todoPage = new TodoPage(import.meta.dirname);
      const render = responseMode === "progressive" ? renderProgressive : renderComplete;
      return { kind: "fetch", respond: (page) => render(todoPage, page) };
    },
  },
  bunHost(),
);
