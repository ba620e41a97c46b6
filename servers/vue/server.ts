import path from "node:path";
import { version } from "vue";
import { serve } from "../_kit/server/serve.ts";
import manifest from "./adapter.json" with { type: "json" };
import { renderComplete, renderProgressive } from "./app/render.ts";

await serve({
  manifest,
  folder: path.resolve(import.meta.dirname, ".."),
  frameworkVersion: version,
  handler(responseMode, assets) {
    const render = responseMode === "progressive" ? renderProgressive : renderComplete;
    return { kind: "node", respond: (page, _request, response) => render(page, assets, response) };
  },
});
