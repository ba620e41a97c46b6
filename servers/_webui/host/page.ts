/** The page as WebUI's addon renders it: one file, loaded by Node, Bun and Deno alike. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Page } from "../../_kit/server/site.ts";
import { pageState } from "./state.ts";

const ENTRY = "index.html";
const REQUEST_PATH = "/";

/** What is used of the addon's `Protocol`: a compiled page and its renderer. */
interface Protocol {
  render(stateJson: string, entry: string, requestPath: string): Buffer;
  renderStream(stateJson: string, entry: string, requestPath: string, onChunk: (chunk: string) => void): void;
}

interface Addon {
  readonly Protocol: new (protocol: Buffer) => Protocol;
}

/** The compiled page, loaded once. Both ways of rendering take the timestamp when they are called. */
export class TodoPage {
  readonly #protocol: Protocol;

  /**
   * @param dist the build: the addon and the compiled page are in it
   * @throws Error `ENOENT` where it isn't there
   */
  constructor(dist: string) {
    const addon = createRequire(import.meta.url)(path.join(dist, "webui.node")) as Addon;
    this.#protocol = new addon.Protocol(readFileSync(path.join(dist, "protocol.bin")));
  }

  /** The whole page in one piece. */
  render(page: Page): Buffer {
    return this.#protocol.render(pageState(page), ENTRY, REQUEST_PATH);
  }

  /**
   * WebUI's streaming renderer: hands out about 16 KB at a time, while it renders. It is synchronous, so all has been
   * handed out when it returns.
   */
  stream(page: Page, onChunk: (chunk: string) => void): void {
    this.#protocol.renderStream(pageState(page), ENTRY, REQUEST_PATH, onChunk);
  }
}
