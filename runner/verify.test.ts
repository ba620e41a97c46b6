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
import { type VerifyDepth, verifyServer } from "./verify.ts";

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

function withBefore(before: Parts["before"]): Parts {
  return { ...parts("complete"), before };
}

function withHeader(name: string, value: string): Parts {
  const right = parts("complete");
  return { ...right, pageHeaders: { ...right.pageHeaders, [name]: value } };
}

function withHtml(from: string | RegExp, to: string): Parts {
  return { ...parts("complete"), html: (html) => html.replace(from, () => to) };
}

function withInfo(spoiled: object): Parts {
  return { ...parts("complete"), info: { ...INFO, ...spoiled } };
}

/** Answers what `test` matches by `answer` instead. */
function instead(test: (request: http.IncomingMessage) => boolean, answer: Handler): Parts {
  return withBefore((request, response) => {
    if (!test(request)) return false;
    answer(request, response);
    return true;
  });
}

function at(path: string | RegExp): (request: http.IncomingMessage) => boolean {
  return ({ url = "" }) => (typeof path === "string" ? url === path : path.test(url));
}

function listPage(): string {
  return pageHtml({ timestamp: new Date().toISOString(), filter: "all", nonce: "" });
}

const OLD = new Date(0).toISOString();
const START_TIME = new Date().toISOString();
const CLIENT = "/assets/client-9f8e7d6c.js";

/** What a server could do wrong, or a liar on purpose, and the rule that sees it. */
const SPOILED: readonly (readonly [what: string, rule: string, server: () => Parts])[] = [
  [
    "a status of 201",
    "status",
    () =>
      withBefore((_, response) => {
        response.statusCode = 201;
        return false;
      }),
  ],
  ["plain text", "content-type", () => withHeader("content-type", "text/plain; charset=utf-8")],
  ["another charset", "charset", () => withHeader("content-type", "text/html; charset=iso-8859-1")],
  [
    "no charset",
    "charset",
    () => ({
      ...withHtml(`<meta charset="utf-8">`, ""),
      pageHeaders: { "content-type": "text/html", "cache-control": "no-store" },
    }),
  ],
  ["caching allowed", "no-store", () => withHeader("cache-control", "max-age=60")],
  ["an ETag", "validators", () => withHeader("etag", `"1"`)],
  ["Last-Modified", "validators", () => withHeader("last-modified", new Date().toUTCString())],
  [
    "304 for a conditional request",
    "status",
    () =>
      instead(
        ({ headers }) => "if-none-match" in headers,
        (_, response) => response.writeHead(304).end(),
      ),
  ],
  [
    "a coding where gzip is offered",
    "identity",
    () =>
      withBefore(({ headers }, response) => {
        if (headers["accept-encoding"]) response.setHeader("content-encoding", "gzip");
        return false;
      }),
  ],
  ["Connection: close", "keep-alive", () => withHeader("connection", "close")],
  [
    "a connection closed without a word",
    "no-answer",
    () =>
      withBefore((request, response) => {
        response.on("finish", () => request.socket.destroySoon());
        return false;
      }),
  ],
  ["a complete body in chunks", "complete", () => ({ ...parts("complete"), page: sendPage("progressive") })],
  [
    "a progressive body with a length",
    "progressive",
    () => ({ ...parts("progressive"), page: sendPage("complete") }),
  ],
  [
    "an interim reply",
    "interim",
    () =>
      withBefore((_, response) => {
        response.writeEarlyHints({ link: "</x.css>; rel=preload" });
        return false;
      }),
  ],
  [
    "a second reply to one request",
    "trailing",
    () =>
      withBefore((request, response) => {
        response.on("finish", () => request.socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        return false;
      }),
  ],
  ["a document without its end", "sentinel", () => withHtml(/<\/html>\s*$/, "<!-- -->")],
  [
    "a timestamp taken once",
    "timestamp-window",
    () => ({ ...parts("complete"), timestamp: () => START_TIME }),
  ],
  ["a timestamp from long ago", "timestamp-window", () => ({ ...parts("complete"), timestamp: () => OLD })],
  [
    "a timestamp ahead",
    "timestamp-window",
    () => ({ ...parts("complete"), timestamp: () => new Date(Date.now() + 1_000).toISOString() }),
  ],
  ["no nonce", "nonce", () => ({ ...parts("complete"), nonce: () => "" })],
  [
    "a nonce cut to 16",
    "nonce",
    () => ({ ...parts("complete"), nonce: (raw) => requestNonce(raw).slice(0, 16) }),
  ],
  [
    "an ill-formed nonce shown",
    "nonce",
    () => ({ ...parts("complete"), nonce: (raw) => (raw ?? "").replace(/\W/g, "") }),
  ],
  [
    "the previous request's nonce",
    "nonce",
    () => {
      let previous = "";
      return {
        ...parts("complete"),
        nonce: (raw) => {
          const stale = previous;
          previous = requestNonce(raw);
          return stale;
        },
      };
    },
  ],
  [
    "a right page that a cache keeps for the same path",
    "timestamp-window",
    () => {
      const kept = new Map<string, string>();
      return {
        ...parts("complete"),
        html: (html) => {
          const filter = /data-filter="(\w+)" aria-current/.exec(html)?.[1] ?? "";
          const body = kept.get(filter) ?? html;
          kept.set(filter, body);
          return body.replace(/data-request="\w*"/, /data-request="\w*"/.exec(html)?.[0] ?? "");
        },
      };
    },
  ],
  [
    "hydration data of what is shown only",
    "hydration-data",
    () => withHtml(/<script type="application\/json".*?<\/script>/s, ""),
  ],
  ["a duplicate attribute", "markup", () => withHtml("data-todo-app", `data-request="x" data-todo-app`)],
  ["another filter's list", "item-count", () => ({ ...parts("complete"), html: () => listPage() })],
  [
    "a client from elsewhere",
    "asset-origin",
    () => withHtml(CLIENT, "https://cdn.example.org/client-9f8e7d6c.js"),
  ],
  ["a client outside the asset path", "asset-path", () => withHtml(CLIENT, "/client-9f8e7d6c.js")],
  ["a client without a hash", "asset-hash", () => withHtml(CLIENT, "/assets/client.js")],
  ["a client that isn't there", "asset-status", () => withHtml(CLIENT, "/assets/client-00000000.js")],
  ["a favicon that isn't there", "asset-status", () => withHtml("favicon.svg", "favicon.png")],
  [
    "a client of another type",
    "asset-type",
    () =>
      instead(at(CLIENT), (_, response) =>
        response
          .writeHead(200, { "content-type": "text/plain", "cache-control": "max-age=31536000, immutable" })
          .end("export {};"),
      ),
  ],
  [
    "assets that aren't immutable",
    "asset-caching",
    () => ({ ...parts("complete"), assetHeaders: { "cache-control": "max-age=31536000" } }),
  ],
  [
    "assets kept for a minute",
    "asset-caching",
    () => ({ ...parts("complete"), assetHeaders: { "cache-control": "max-age=60, immutable" } }),
  ],
  [
    "assets compressed",
    "identity",
    () => ({
      ...parts("complete"),
      assetHeaders: { "cache-control": "max-age=31536000, immutable", "content-encoding": "br" },
    }),
  ],
  [
    "a client that wasn't built",
    "asset-listed",
    () =>
      instead(at(CLIENT), (_, response) =>
        response
          .writeHead(200, {
            "content-type": "text/javascript",
            "cache-control": "max-age=31536000, immutable",
          })
          .end("alert()"),
      ),
  ],
  [
    "an empty client",
    "asset-empty",
    () =>
      instead(at(CLIENT), (_, response) =>
        response.writeHead(200, { "content-type": "text/javascript" }).end(),
      ),
  ],
  [
    "a file from outside the assets",
    "outside",
    () => instead(at(/%2e%2e%2fadapter\.json/), (_, response) => response.end("{}")),
  ],
  [
    "a file by an encoding of an encoding",
    "outside",
    () => instead(at(/%252e/), (_, response) => response.end("{}")),
  ],
  [
    "500 for a path that leads outside",
    "outside",
    () => instead(at(/\.\.%5c/), (_, response) => response.writeHead(500).end()),
  ],
  [
    "the page for every path",
    "missing",
    () => instead(at("/no-such-page"), (_, response) => response.end(listPage())),
  ],
  [
    "a 404 with the list",
    "missing-list",
    () => instead(at("/active/no-such-page"), (_, response) => response.writeHead(404).end(listPage())),
  ],
  [
    "a redirect from a path that isn't there",
    "missing",
    () => instead(at("/index.html"), (_, response) => response.writeHead(302, { location: "/" }).end()),
  ],
  [
    "500 for POST",
    "method",
    () =>
      instead(
        ({ method }) => method === "POST",
        (_, response) => response.writeHead(500).end(),
      ),
  ],
  [
    "no answer to PUT",
    "no-answer",
    () =>
      instead(
        ({ method }) => method === "PUT",
        (request) => request.socket.destroy(),
      ),
  ],
  [
    "500 for HEAD",
    "head",
    () =>
      instead(
        ({ method }) => method === "HEAD",
        (_, response) => response.writeHead(500).end(),
      ),
  ],
  [
    "no /bench/info",
    "info-status",
    () => instead(at("/bench/info"), (_, response) => response.writeHead(404).end()),
  ],
  [
    "/bench/info as HTML",
    "info-type",
    () =>
      instead(at("/bench/info"), (_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(INFO)),
      ),
  ],
  [
    "/bench/info that isn't JSON",
    "info-json",
    () =>
      instead(at("/bench/info"), (_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("{"),
      ),
  ],
  [
    "/bench/info that is a list",
    "info-json",
    () =>
      withBefore((request, response) => {
        if (request.url === "/bench/info")
          response.writeHead(200, { "content-type": "application/json" }).end("[]");
        return request.url === "/bench/info";
      }),
  ],
  ["a field missing", "info-field", () => withInfo({ runtimeVersion: undefined })],
  ["a pid that isn't one", "info-field", () => withInfo({ pid: "1" })],
  ["no artifacts", "info-field", () => withInfo({ artifacts: [] })],
  ["a hash that isn't one", "info-field", () => withInfo({ artifacts: [{ path: "dist/a", sha256: "x" }] })],
  ["another adapter", "info-adapter", () => withInfo({ adapter: "other" })],
  ["the other mode", "info-mode", () => withInfo({ responseMode: "progressive" })],
  ["another runtime", "info-runtime", () => withInfo({ runtime: "bun" })],
  ["a process that isn't the server's", "info-pid", () => withInfo({ pid: 1 })],
  [
    "an artifact that isn't what is on disk",
    "artifact-hash",
    () => withInfo({ artifacts: [{ path: `dist${CLIENT}`, sha256: "0".repeat(64) }] }),
  ],
  [
    "an artifact outside the folder",
    "info-artifacts",
    () => withInfo({ artifacts: [{ path: "dist/../../x", sha256: "0".repeat(64) }] }),
  ],
];

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

  async function verify(
    server: Parts,
    depth: VerifyDepth = "before-load",
    signal: AbortSignal = new AbortController().signal,
  ) {
    const listener = http.createServer(handlerOf(server));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = listener.address() as AddressInfo;
      return await verifyServer({
        target: { host: "127.0.0.1", port },
        manifest: manifest(),
        artifacts: INFO.artifacts,
        mode: server.mode,
        pids: () => [process.pid],
        depth,
        signal,
      });
    } finally {
      listener.closeAllConnections();
      listener.close();
    }
  }

  for (const mode of ["progressive", "complete"] as const) {
    it(`finds nothing wrong with a right server, ${mode}`, async () => {
      const { problems, verified, info } = await verify(parts(mode));
      assert.deepEqual(problems, []);
      assert.ok(verified.bodyBytes > 20_000);
      assert.equal(verified.chunks > 0, mode === "progressive");
      assert.equal(info?.pid, process.pid);
    });
  }

  it("in full, too, with bad clients and a thousand connections", async () => {
    const { problems, verified } = await verify(parts("progressive"), "full");
    assert.deepEqual(problems, []);
    assert.ok(verified.requests > 1_000);
  });

  it("accepts 405 for HEAD", async () => {
    const server = withBefore(({ method }, response) => {
      if (method === "HEAD") response.writeHead(405).end();
      return method === "HEAD";
    });
    assert.deepEqual((await verify(server)).problems, []);
  });

  it("accepts a charset by meta alone, and an inline favicon", async () => {
    const server = {
      ...parts("complete"),
      pageHeaders: { "content-type": "text/html", "cache-control": "no-store" },
      html: (html: string) => html.replace("/assets/favicon.svg", "data:image/svg+xml,x"),
    };
    assert.deepEqual((await verify(server)).problems, []);
  });

  for (const [what, rule, server] of SPOILED) {
    it(`sees ${what}: ${rule}`, async () => {
      const { problems } = await verify(server());
      const rules = problems.map((one) => one.rule);
      assert.ok(rules.includes(rule), `saw ${rules.join(", ") || "nothing"}`);
    });
  }

  it("sees a nonce that isn't ignored, by each ill-formed one in full", async () => {
    const server = {
      ...parts("complete"),
      nonce: (raw: string | null) => (raw !== null && raw.length <= 33 ? raw.replace(/\W/g, "") : ""),
    };
    const { problems } = await verify(server, "full");
    assert.ok(problems.some(({ rule }) => rule === "nonce"));
  });

  it("sees a server that a client's hanging up breaks", async () => {
    let plain = 0;
    let broken = false;
    const server = withBefore((request, response) => {
      if (broken) request.socket.destroy();
      plain += request.method === "GET" && request.url === "/" ? 1 : 0;
      // The first plain one is a page without a nonce; those after it are the bad clients' own.
      if (broken || plain < 2 || request.url !== "/") return broken;
      request.socket.on("close", () => {
        broken = true;
      });
      response.write("<!doctype html>");
      return true;
    });
    const { problems } = await verify(server, "full");
    assert.match(problems[0]?.expected ?? "", /after a client that hung up/);
  });

  it("reports a server that isn't there as problems", async () => {
    const listener = http.createServer();
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    await new Promise((resolve) => listener.close(resolve));
    const { problems, info } = await verifyServer({
      target: { host: "127.0.0.1", port },
      manifest: manifest(),
      artifacts: [],
      mode: "complete",
      pids: () => [process.pid],
      depth: "full",
      signal: new AbortController().signal,
    });
    assert.equal(info, null);
    assert.match(problems[0]?.seen ?? "", /refused/);
  });

  it("throws the signal's reason when it is ended", async () => {
    const stop = new AbortController();
    const server = withBefore(() => {
      stop.abort(new Error("enough"));
      return false;
    });
    await assert.rejects(verify(server, "before-load", stop.signal), /enough/);
  });
});
