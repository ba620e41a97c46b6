/**
 * The smallest adapter on the kit, on whichever runtime runs it; its folder comes from the environment. `/?r=slow` sends
 * a piece, and the rest only after the server was told to end.
 */
import { bunHost } from "../server/bun.ts";
import { denoHost } from "../server/deno.ts";
import type { FetchHandler, Handler } from "../server/handler.ts";
import type { Host } from "../server/host.ts";
import { nodeHost } from "../server/node.ts";
import { type Adapter, serve } from "../server/serve.ts";

const runtime = process.env.FIXTURE_RUNTIME;
const toldToEnd = Promise.withResolvers<void>();
/** Time for a server that doesn't wait for its responses to cut them off. */
const AFTER_END_MS = 100;
const utf8 = new TextEncoder();

function slowBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(utf8.encode("first "));
      await toldToEnd.promise;
      controller.enqueue(utf8.encode("last"));
      controller.close();
    },
  });
}

const adapter: Adapter<FetchHandler> = {
  manifest: { id: "fixture", artifacts: ["dist"] },
  folder: process.env.FIXTURE_FOLDER ?? "",
  frameworkVersion: "1.0.0",
  handler: (responseMode, assets) => ({
    kind: "fetch",
    respond({ nonce }) {
      if (nonce === "fail") throw new Error("the handler failed");
      if (nonce === "slow") return new Response(slowBody());
      return new Response(`${responseMode} ${assets.script}`);
    },
  }),
};

function host(): Host<FetchHandler> {
  if (runtime === "bun") return bunHost();
  if (runtime === "deno") return denoHost();
  return nodeHost satisfies Host<Handler>;
}

process.once("SIGTERM", () => setTimeout(toldToEnd.resolve, AFTER_END_MS));
await serve(adapter, host());
