import path from "node:path";
import start from "@tanstack/react-start/package.json" with { type: "json" };
import { serve } from "../../_kit/server/serve.ts";
import manifest from "../adapter.json" with { type: "json" };
import { respondComplete, respondProgressive } from "./handler.ts";

await serve({
  manifest,
  folder: path.resolve(import.meta.dirname, "../.."),
  frameworkVersion: start.version,
  handler(responseMode) {
    const respond = responseMode === "progressive" ? respondProgressive : respondComplete;
    return { kind: "fetch", respond: (_page, request) => respond(request) };
  },
});
