/** The smallest adapter on the kit, whose folder comes from the environment. */
import { serve } from "../server/serve.ts";

await serve({
  manifest: { id: "fixture", artifacts: ["dist"] },
  folder: process.env.FIXTURE_FOLDER ?? "",
  frameworkVersion: "1.0.0",
  handler: (responseMode, assets) => ({
    kind: "node",
    respond: (_page, _request, response) => void response.end(`${responseMode} ${assets.script}`),
  }),
});
