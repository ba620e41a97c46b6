/** The page as WebUI's addon renders it: one file, loaded by Node, Bun and Deno alike. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Page } from "../../_kit/server/site.ts";
import { type ClientData, pageState } from "./state.ts";

const ENTRY = "index.html";
const REQUEST_PATH = "/";

/** What is used of the addon's `Protocol`: a compiled page and its renderer. */
interface Protocol {
  render(stateJson: string, entry: string, requestPath: string): Buffer;
  renderStream(stateJson: string, entry: string, requestPath: string, onChunk: (chunk: string) => void): void;
}

interface Addon {
  /** With the plugin that the page was compiled for, where it was for one. */
  readonly Protocol: new (
    protocol: Buffer,
    plugin?: string,
  ) => Protocol;
}

/** The compiled page, loaded once. Both ways of rendering take the timestamp when they are called. */
export class TodoPage {
  readonly #protocol: Protocol;
  readonly #clientData: ClientData;

  /**
   * @param dist the build: the addon and the compiled page are in it
   * @throws Error `ENOENT` where it isn't there
   */
  constructor(dist: string) {
    const addon = createRequire(import.meta.url)(path.join(dist, "webui.node")) as Addon;
    const protocol = readFileSync(path.join(dist, "page", "protocol.bin"));
    const plugin = readFileSync(path.join(dist, "page", "plugin"), "utf8").trim();
    this.#protocol = plugin === "none" ? new addon.Protocol(protocol) : new addon.Protocol(protocol, plugin);
    this.#clientData = plugin === "none" ? "script" : "state";
  }

  /** The whole page in one piece. */
  render(page: Page): Buffer {
    return this.#protocol.render(pageState(page, this.#clientData), ENTRY, REQUEST_PATH);
  }

  /**
   * WebUI's streaming renderer: hands out about 16 KB at a time, while it renders. It is synchronous, so all has been
   * handed out when it returns.
   */
  stream(page: Page, onChunk: (chunk: string) => void): void {
    this.#protocol.renderStream(pageState(page, this.#clientData), ENTRY, REQUEST_PATH, onChunk);
  }
}
