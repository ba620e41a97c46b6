import { json, type RequestHandler, VERSION } from "@sveltejs/kit";
import { hashArtifacts, type ServerInfo } from "../../../../../_kit/server/info.ts";
import manifest from "../../../../adapter.json" with { type: "json" };
import { responseMode } from "../../../lib/server/responseMode.ts";

// Not before it is asked for: the build loads this module when there is nothing to hash yet.
let info: ServerInfo | undefined;

function readInfo(): ServerInfo {
  return {
    adapter: manifest.id,
    responseMode,
    runtime: "node",
    runtimeVersion: process.versions.node,
    pid: process.pid,
    frameworkVersion: VERSION,
    // The server is started in the adapter's folder.
    artifacts: hashArtifacts(process.cwd(), manifest.artifacts),
  };
}

export const GET: RequestHandler = () => {
  info ??= readInfo();
  return json(info, { headers: { "cache-control": "no-store" } });
};
