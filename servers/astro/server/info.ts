import type { APIRoute } from "astro";
import astro from "astro/package.json" with { type: "json" };
import { hashArtifacts, type ServerInfo } from "../../_kit/server/info.ts";
import manifest from "../adapter.json" with { type: "json" };
import { responseMode } from "./responseMode.ts";

// Not before it is asked for: the build loads this module when there is nothing to hash yet.
let info: ServerInfo | undefined;

function readInfo(): ServerInfo {
  return {
    adapter: manifest.id,
    responseMode,
    runtime: "node",
    runtimeVersion: process.versions.node,
    pid: process.pid,
    frameworkVersion: astro.version,
    // The server is started in the adapter's folder.
    artifacts: hashArtifacts(process.cwd(), manifest.artifacts),
  };
}

export const GET: APIRoute = () => {
  info ??= readInfo();
  return Response.json(info, { headers: { "cache-control": "no-store" } });
};
