import { eventHandler, setResponseHeader } from "h3";
import nuxt from "nuxt/package.json" with { type: "json" };
import { infoOnNode } from "../../../../_kit/server/info.ts";
import manifest from "../../../adapter.json" with { type: "json" };
import { responseMode } from "../../responseMode.ts";

const info = infoOnNode(manifest, nuxt.version, responseMode);

export default eventHandler((event) => {
  setResponseHeader(event, "cache-control", "no-store");
  return info;
});
