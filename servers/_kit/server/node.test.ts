import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { afterEach, describe, test } from "node:test";
import type { NodeHandler } from "./handler.ts";
import type { Listening } from "./host.ts";
import { listenOnNode } from "./node.ts";
import { createRouter } from "./site.ts";

const LIMIT_MS = 4000;
const BIG = Buffer.alloc(8 * 1024 * 1024, "x");

const route = createRouter(
  {
    adapter: "some",
    responseMode: "complete",
    runtime: "node",
    runtimeVersion: "1",
    pid: 1,
    frameworkVersion: "2",
    artifacts: [],
  },
  new Map([["/assets/a.js", { body: Buffer.from("a"), headers: { "content-length": 1 } }]]),
);

describe("a server on node", () => {
  const errors: unknown[] = [];
  const open: Listening[] = [];

  async function listen(respond: NodeHandler["respond"]): Promise<Listening> {
    const site = {
      route,
      handler: { kind: "node", respond } as const,
      onError: (error: unknown) => errors.push(error),
    };
    const listening = await listenOnNode(site, "127.0.0.1", 0);
    open.push(listening);
    return listening;
  }

  function socketTo(listening: Listening): Socket {
    return connect(listening.port, "127.0.0.1");
  }

  async function body(stream: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  async function request(listening: Listening, path = "/", agent?: Agent): Promise<[number, string]> {
    const sent = get({ host: "127.0.0.1", port: listening.port, path, ...(agent && { agent }) });
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return [response.statusCode ?? 0, await body(response)];
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map((listening) => listening.close(0)));
    errors.length = 0;
  });

  test("keeps a connection for many requests", async () => {
    const listening = await listen((_page, _request, response) => void response.end("page"));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (let i = 0; i < 50; i += 1) {
        assert.deepEqual(await request(listening, "/", agent), [200, "page"]);
      }
      assert.equal(Object.values(agent.freeSockets).flat().length, 1);
    } finally {
      agent.destroy();
    }
  });

  test("answers 1,000 connections one after another", async () => {
    const listening = await listen((_page, _request, response) => void response.end("page"));
    const agent = new Agent({ keepAlive: false });
    for (let i = 0; i < 1000; i += 1) {
      assert.deepEqual(await request(listening, "/", agent), [200, "page"]);
    }
  });

  test("answers HEAD without a body, and fixed answers whole", async () => {
    const listening = await listen((_page, _request, response) => void response.end("page"));
    const socket = socketTo(listening);
    socket.end(
      "HEAD /assets/a.js HTTP/1.1\r\nhost: a\r\n\r\nGET /assets/a.js HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    );
    const text = await body(socket);
    assert.equal(text.match(/^HTTP\/1\.1 200/gm)?.length, 2);
    assert.match(text, /content-length: 1\r\n(?:.+\r\n)*\r\nHTTP\/1\.1 200/);
    assert.match(text, /\r\n\r\na$/);
  });

  test("answers 500 where the renderer throws or rejects, and says why", async () => {
    const throwing = await listen(() => {
      throw new Error("thrown");
    });
    assert.equal((await request(throwing))[0], 500);
    const rejecting = await listen(() => Promise.reject(new Error("rejected")));
    assert.equal((await request(rejecting))[0], 500);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ["thrown", "rejected"],
    );
  });

  test("answers the next request after a client went away in the middle of a response", async () => {
    const closed = Promise.withResolvers<void>();
    const listening = await listen((_page, req, response) => {
      if (req.url !== "/?r=gone") {
        response.end("page");
        return;
      }
      response.on("close", () => {
        // What a renderer that goes on writing does.
        response.write("late");
        closed.resolve();
      });
      response.write(BIG);
    });
    const socket = socketTo(listening);
    socket.write("GET /?r=gone HTTP/1.1\r\nhost: a\r\n\r\n");
    await once(socket, "data");
    socket.resetAndDestroy();
    await closed.promise;
    assert.deepEqual(await request(listening), [200, "page"]);
    assert.deepEqual(errors, []);
  });

  test("answers the next request after a malformed and after half a request", async () => {
    const listening = await listen((_page, _request, response) => void response.end("page"));
    const malformed = socketTo(listening);
    malformed.write("NOT HTTP\r\n\r\n");
    const [reply] = (await once(malformed, "data")) as [Buffer];
    assert.match(reply.toString(), /^HTTP\/1\.1 400/);
    const half = socketTo(listening);
    half.write("GET / HTTP/1.1\r\nho");
    await once(half, "connect");
    half.destroy();
    assert.deepEqual(await request(listening), [200, "page"]);
  });

  test("names a port that is in use", async () => {
    const listening = await listen((_page, _request, response) => void response.end());
    const site = { route, handler: { kind: "node", respond: () => {} } as const, onError: () => {} };
    await assert.rejects(listenOnNode(site, "127.0.0.1", listening.port), {
      code: "EADDRINUSE",
      port: listening.port,
    });
  });

  test("lets a running response end, then closes every connection", async () => {
    const started = Promise.withResolvers<() => void>();
    const listening = await listen((_page, req, response) => {
      if (req.url === "/") response.end("page");
      else {
        response.write("first ");
        started.resolve(() => response.end("last"));
      }
    });
    const idle = socketTo(listening);
    idle.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await once(idle, "data");
    const half = socketTo(listening);
    half.write("GET / HT");
    const closed = Promise.all([once(idle, "close"), once(half, "close")]);
    const running = request(listening, "/?r=running");
    const finish = await started.promise;
    const closing = listening.close(LIMIT_MS);
    idle.resume();
    half.resume();
    await assert.rejects(request(listening, "/", new Agent()), { code: "ECONNREFUSED" });
    finish();
    assert.deepEqual(await running, [200, "first last"]);
    await Promise.all([closing, closed]);
  });

  test("cuts off what still runs at the limit", async () => {
    const started = Promise.withResolvers<void>();
    const listening = await listen((_page, _request, response) => {
      response.write("never ends");
      started.resolve();
    });
    const socket = socketTo(listening);
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await started.promise;
    socket.resume();
    await Promise.all([listening.close(1), once(socket, "close")]);
  });
});
