import path from "node:path";
import { serve } from "../_kit/server/serve.ts";
import manifest from "./adapter.json" with { type: "json" };
import { renderComplete, renderProgressive } from "./app/render.ts";
import packageJson from "./package.json" with { type: "json" };

await serve({
  manifest,
  folder: path.resolve(import.meta.dirname, ".."),
  frameworkVersion: packageJson.dependencies.lit,
  handler(responseMode, assets) {
    const render = responseMode === "progressive" ? renderProgressive : renderComplete;
    return { kind: "node", respond: (page, _request, response) => render(page, assets, response) };
  },
});
