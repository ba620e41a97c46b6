/** The front over real sockets: a server behind it, an HTTP/2 client before it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import net, { type AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { type Front, startFront } from "./front.ts";

interface Stand extends AsyncDisposable {
  readonly front: Front;
  /** Open ones of the server behind the front. */
  readonly sockets: ReadonlySet<net.Socket>;
  readonly session: ClientHttp2Session;
  get(path: string, headers?: http2.OutgoingHttpHeaders): ClientHttp2Stream;
}

const stand = (listener: http.RequestListener): Promise<Stand> => standBefore(http.createServer(listener));

async function standBefore(server: net.Server): Promise<Stand> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const front = await startFront({ host: "127.0.0.1", port });
  const session = http2.connect(front.origin, { rejectUnauthorized: false });
  session.on("error", () => undefined);
  return {
    session,
    sockets,
    front,
    get: (path, headers = {}) => session.request({ ":path": path, ...headers }),
    async [Symbol.asyncDispose]() {
      session.destroy();
      await front[Symbol.asyncDispose]();
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function whole(stream: ClientHttp2Stream) {
  const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return { headers, body: Buffer.concat(pieces) };
}

describe("the front", () => {
  test("speaks HTTP/2 and drops what belongs to the other connection", async () => {
    await using it = await stand((request, response) => {
      response.setHeader("x-seen", JSON.stringify(request.headers)).setHeader("keep-alive", "timeout=5");
      response.end("right");
    });
    const { headers, body } = await whole(it.get("/", { cookie: "a=b" }));
    assert.equal(it.session.alpnProtocol, "h2");
    assert.equal(body.toString(), "right");
    assert.equal(headers["keep-alive"], undefined);
    assert.equal(headers.connection, undefined);
    const seen = JSON.parse(String(headers["x-seen"]));
    assert.equal(seen.cookie, "a=b");
    assert.match(seen.host, /^127\.0\.0\.1:\d+$/);
    assert.equal(seen["x-forwarded-proto"], "https");
  });

  test("passes each piece on before the next is written", async () => {
    let next = (): void => undefined;
    await using it = await stand((_, response) => {
      response.write("first");
      next = () => response.end("second");
    });
    const stream = it.get("/");
    const [first] = (await once(stream, "data")) as [Buffer];
    assert.equal(first.toString(), "first");
    next();
    const [second] = (await once(stream, "data")) as [Buffer];
    assert.equal(second.toString(), "second");
    await once(stream, "end");
  });

  test("a large body arrives whole, over a hundred streams at once", async () => {
    const body = Buffer.alloc(300_000, "0123456789");
    await using it = await stand((_, response) => void response.end(body));
    const all = await Promise.all(Array.from({ length: 100 }, () => whole(it.get("/"))));
    assert.ok(all.every((one) => one.body.equals(body)));
  });

  test("a HEAD and a 304 have no body", async () => {
    await using it = await stand((request, response) => {
      response.statusCode = request.method === "HEAD" ? 200 : 304;
      response.end();
    });
    const head = await whole(it.session.request({ ":method": "HEAD", ":path": "/" }));
    const unchanged = await whole(it.get("/"));
    assert.deepEqual([head.headers[":status"], head.body.byteLength], [200, 0]);
    assert.deepEqual([unchanged.headers[":status"], unchanged.body.byteLength], [304, 0]);
  });

  test("a cancelled stream ends the request behind it", async () => {
    const gone = Promise.withResolvers<void>();
    await using it = await stand((request, response) => {
      response.write("begun");
      request.once("close", () => gone.resolve());
    });
    const stream = it.get("/");
    await once(stream, "data");
    stream.close(http2.constants.NGHTTP2_CANCEL);
    await gone.promise;
  });

  test("a body that breaks off is an error, not an end", async () => {
    await using it = await stand((_, response) => {
      response.write("begun", () => response.destroy());
    });
    const stream = it.get("/");
    await once(stream, "response");
    stream.resume();
    const [error] = (await once(stream, "error")) as [Error];
    assert.match(error.message, /INTERNAL_ERROR/);
  });

  test("a server that is gone is a 502 with its reason", async () => {
    const server = http.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await using front = await startFront({ host: "127.0.0.1", port });
    const session = http2.connect(front.origin, { rejectUnauthorized: false });
    try {
      const { headers, body } = await whole(session.request({ ":path": "/" }));
      assert.equal(headers[":status"], 502);
      assert.match(body.toString(), /ECONNREFUSED/);
    } finally {
      session.destroy();
    }
  });

  test("a head that HTTP/2 can't say is a 502 with its reason", async () => {
    await using it = await stand((_, response) => void response.writeHead(999).end());
    const { headers, body } = await whole(it.get("/"));
    assert.equal(headers[":status"], 502);
    assert.match(body.toString(), /999/);
  });

  test("a request that meets the end of a kept connection goes on another", async () => {
    let connections = 0;
    await using it = await standBefore(
      net.createServer((socket) => {
        connections += 1;
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright");
          socket.once("data", () => socket.resetAndDestroy());
        });
      }),
    );
    await whole(it.get("/"));
    const { headers, body } = await whole(it.get("/"));
    assert.deepEqual([headers[":status"], body.toString(), connections], [200, "right", 2]);
  });

  test("no connection to the server is left at its end, idle or in the middle of an answer", async () => {
    await using it = await stand((request, response) => {
      response.write("begun");
      if (request.url === "/") response.end();
    });
    await whole(it.get("/"));
    const open = it.get("/endless").on("error", () => undefined);
    await once(open, "data");
    await whole(it.get("/"));
    assert.equal(it.sockets.size, 2);
    const closed = [...it.sockets].map((socket) => once(socket, "close"));
    await it.front[Symbol.asyncDispose]();
    await Promise.all(closed);
  });

  test("a connection that never shakes hands doesn't hold up its end", async () => {
    const front = await startFront({ host: "127.0.0.1", port: 1 });
    const silent = net.connect(Number(new URL(front.origin).port), "127.0.0.1");
    await once(silent, "connect");
    const closed = once(silent, "close");
    await front[Symbol.asyncDispose]();
    await closed;
  });
});
