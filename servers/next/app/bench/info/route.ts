import next from "next/package.json" with { type: "json" };
import { parseServerArguments } from "../../../../_kit/server/arguments.ts";
import { hashArtifacts, type ServerInfo } from "../../../../_kit/server/info.ts";
import manifest from "../../../adapter.json" with { type: "json" };

export const dynamic = "force-dynamic";

// Not before it is asked for: the build loads this module when there is nothing to hash yet.
let info: ServerInfo | undefined;

function readInfo(): ServerInfo {
  return {
    adapter: manifest.id,
    responseMode: parseServerArguments([], process.env).responseMode,
    runtime: "node",
    runtimeVersion: process.versions.node,
    pid: process.pid,
    frameworkVersion: next.version,
    // The server is started in the adapter's folder.
    artifacts: hashArtifacts(process.cwd(), manifest.artifacts),
  };
}

export function GET(): Response {
  info ??= readInfo();
  return Response.json(info, { headers: { "cache-control": "no-store" } });
}
