/**
 * A bare `node:http` server round an adapter's renderer: the same tree, bytes and headers, and nothing else of the kit
 * on the way. What the kit costs is the difference. Pages only; it is measured, never ranked.
 */
import { createServer, type ServerResponse } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";
import { filterOfPath, requestNonce } from "../../../todo/contract/data.ts";
import { type PageAssets, readPageAssets } from "./assets.ts";
import type { Page } from "./site.ts";

export interface BareOptions {
  /** Where `client/` lies: the folder of the built server. */
  readonly dist: string;
  readonly progressive: Render;
  readonly complete: Render;
}

type Render = (page: Page, assets: PageAssets, response: ServerResponse) => void | Promise<void>;

/** Listens on `--host` and `--port`, in the response mode of the environment. */
export function serveBare({ dist, progressive, complete }: BareOptions): void {
  const { values } = parseArgs({
    options: { host: { type: "string", default: "127.0.0.1" }, port: { type: "string", default: "0" } },
  });
  const assets = readPageAssets(path.join(dist, "client/.vite/manifest.json"));
  const render = process.env.RESPONSE_MODE === "complete" ? complete : progressive;
  createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const [pathname = "", query = ""] = (request.url ?? "").split("?");
    const filter = filterOfPath(pathname);
    if (filter === null) response.writeHead(404).end();
    else void render({ filter, nonce: requestNonce(query.slice("r=".length)) }, assets, response);
  }).listen(Number(values.port), values.host);
}
