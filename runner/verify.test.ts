import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { parseManifest } from "../harness/manifest.ts";
import type { ResponseMode } from "../report/schema.ts";
import { filterOfPath, requestNonce } from "../todo/contract/data.ts";
import { pageHtml } from "../todo/contract/page.fixture.ts";
import { checkKeptBody, type VerifyDepth, verifyServer } from "./verify.ts";

const FILES: Readonly<Record<string, { readonly type: string; readonly content: string }>> = {
  "/assets/favicon.svg": { type: "image/svg+xml", content: "<svg/>" },
  "/assets/style-0a1b2c3d.css": { type: "text/css; charset=utf-8", content: "body{}" },
  "/assets/client-9f8e7d6c.js": { type: "text/javascript", content: "export {};" },
};

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

const INFO = {
  adapter: "sample",
  responseMode: "complete",
  runtime: "node",
  runtimeVersion: process.version,
  pid: process.pid,
  frameworkVersion: "1.0.0",
  artifacts: Object.entries(FILES).map(([file, { content }]) => ({
    path: `dist${file}`,
    sha256: sha256(content),
  })),
};

/** A correct server, its parts open to be spoiled one at a time. */
interface Parts {
  readonly mode: ResponseMode;
  readonly page: (html: string, request: http.IncomingMessage, response: http.ServerResponse) => void;
  readonly pageHeaders: Readonly<Record<string, string>>;
  readonly html: (html: string) => string;
  readonly timestamp: () => string;
  readonly nonce: (raw: string | null) => string;
  readonly info: object;
  readonly assetHeaders: Readonly<Record<string, string>>;
  readonly before: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
}

function sendPage(mode: ResponseMode): Parts["page"] {
  return (html, request, response) => {
    if (mode === "complete") response.setHeader("content-length", Buffer.byteLength(html));
    if (request.method === "HEAD") response.end();
    else if (mode === "complete") response.end(html);
    else {
      response.write(html.slice(0, 500));
      response.end(html.slice(500));
    }
  };
}

function parts(mode: ResponseMode): Parts {
  return {
    mode,
    page: sendPage(mode),
    pageHeaders: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    html: (html) => html,
    timestamp: () => new Date().toISOString(),
    nonce: requestNonce,
    info: { ...INFO, responseMode: mode },
    assetHeaders: { "cache-control": "public, max-age=31536000, immutable" },
    before: () => false,
  };
}

function handlerOf(server: Parts): Handler {
  return (request, response) => {
    request.resume();
    if (server.before(request, response)) return;
    const raw = request.url ?? "/";
    const [pathname = "/", query = ""] = raw.split("?");
    const filter = filterOfPath(pathname);
    const file = FILES[pathname];
    if (filter !== null && (request.method === "GET" || request.method === "HEAD")) {
      const nonce = server.nonce(new URLSearchParams(query).get("r"));
      for (const [name, value] of Object.entries(server.pageHeaders)) response.setHeader(name, value);
      server.page(server.html(pageHtml({ timestamp: server.timestamp(), filter, nonce })), request, response);
    } else if (filter !== null) {
      response.writeHead(405).end();
    } else if (pathname === "/bench/info") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(server.info));
    } else if (file !== undefined) {
      response.writeHead(200, { ...server.assetHeaders, "content-type": file.type }).end(file.content);
    } else {
      response.writeHead(404).end("not found");
    }
  };
}

describe("verifyServer", () => {
  let folder = "";

  before(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), "verify-")), "sample");
    await mkdir(path.join(folder, "dist/assets"), { recursive: true });
    for (const [file, { content }] of Object.entries(FILES)) {
      await writeFile(path.join(folder, "dist", file), content);
    }
  });

  after(() => rm(path.dirname(folder), { recursive: true }));

  function manifest() {
    const json = {
      id: "sample",
      displayName: "Sample",
      homepage: "https://example.org",
      versionFrom: "npm:sample",
      runtime: "node",
      build: [],
      start: ["node", "server.ts"],
      artifacts: ["dist"],
    };
    return parseManifest(JSON.stringify(json), folder);
  }

  async function verify(server: Parts, depth: VerifyDepth = "before-load") {
    const listener = http.createServer(handlerOf(server));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = listener.address() as AddressInfo;
      return await verifyServer({
        target: { host: "127.0.0.1", port },
        manifest: manifest(),
        mode: server.mode,
        pids: () => [process.pid],
        depth,
        signal: new AbortController().signal,
      });
    } finally {
      listener.closeAllConnections();
      listener.close();
    }
  }

  for (const mode of ["progressive", "complete"] as const) {
    it(`finds nothing wrong with a right server, ${mode}`, async () => {
      const start = process.hrtime.bigint();
      const { problems, verified, info } = await verify(parts(mode), "before-load");
      console.log(Number(process.hrtime.bigint() - start) / 1e6);
      assert.deepEqual(problems, []);
      assert.ok(verified.bodyBytes > 20_000);
      assert.equal(verified.chunks > 0, mode === "progressive");
      assert.equal(info?.pid, process.pid);
    });
  }
  it(`full`, async () => {
    const start = process.hrtime.bigint();
    const { problems, verified, info } = await verify(parts("progressive"), "full");
    console.log(Number(process.hrtime.bigint() - start) / 1e6);
    assert.deepEqual(problems, []);
  });
});
