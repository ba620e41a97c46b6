import { eventHandler, setResponseHeader } from "h3";
import nuxt from "nuxt/package.json" with { type: "json" };
import { hashArtifacts, type ServerInfo } from "../../../../_kit/server/info.ts";
import manifest from "../../../adapter.json" with { type: "json" };
import { responseMode } from "../../responseMode.ts";

const info: ServerInfo = {
  adapter: manifest.id,
  responseMode,
  runtime: "node",
  runtimeVersion: process.versions.node,
  pid: process.pid,
  frameworkVersion: nuxt.version,
  // The server is started in the adapter's folder.
  artifacts: hashArtifacts(process.cwd(), manifest.artifacts),
};

export default eventHandler((event) => {
  setResponseHeader(event, "cache-control", "no-store");
  return info;
});
