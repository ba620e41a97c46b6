import path from "node:path";
import solid from "solid-js/package.json" with { type: "json" };
import { serve } from "../_kit/server/serve.ts";
import manifest from "./adapter.json" with { type: "json" };
import { renderComplete, renderProgressive } from "./app/render.tsx";

await serve({
  manifest,
  folder: path.resolve(import.meta.dirname, ".."),
  frameworkVersion: solid.version,
  handler(responseMode, assets) {
    const render = responseMode === "progressive" ? renderProgressive : renderComplete;
    return { kind: "node", respond: (page, _request, response) => render(page, assets, response) };
  },
});
