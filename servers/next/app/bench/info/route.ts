import next from "next/package.json" with { type: "json" };
import { parseServerArguments } from "../../../../_kit/server/arguments.ts";
import { infoOnNode, type ServerInfo } from "../../../../_kit/server/info.ts";
import manifest from "../../../adapter.json" with { type: "json" };

export const dynamic = "force-dynamic";

// Not before it is asked for: the build loads this module when there is nothing to hash yet.
let info: ServerInfo | undefined;

export function GET(): Response {
  info ??= infoOnNode(manifest, next.version, parseServerArguments([], process.env).responseMode);
  return Response.json(info, { headers: { "cache-control": "no-store" } });
}
