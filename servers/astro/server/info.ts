import type { APIRoute } from "astro";
import astro from "astro/package.json" with { type: "json" };
import { infoOnNode, type ServerInfo } from "../../_kit/server/info.ts";
import manifest from "../adapter.json" with { type: "json" };
import { responseMode } from "./responseMode.ts";

// Not before it is asked for: the build loads this module when there is nothing to hash yet.
let info: ServerInfo | undefined;

export const GET: APIRoute = () => {
  info ??= infoOnNode(manifest, astro.version, responseMode);
  return Response.json(info, { headers: { "cache-control": "no-store" } });
};
