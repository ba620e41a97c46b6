import { json, type RequestHandler, VERSION } from "@sveltejs/kit";
import { infoOnNode, type ServerInfo } from "../../../../../_kit/server/info.ts";
import manifest from "../../../../adapter.json" with { type: "json" };
import { responseMode } from "../../../lib/server/responseMode.ts";

// Not before it is asked for: the build loads this module when there is nothing to hash yet.
let info: ServerInfo | undefined;

export const GET: RequestHandler = () => {
  info ??= infoOnNode(manifest, VERSION, responseMode);
  return json(info, { headers: { "cache-control": "no-store" } });
};
