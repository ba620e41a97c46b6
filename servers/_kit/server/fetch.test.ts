import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, test } from "node:test";
import { nodeHandlerOf } from "./fetch.ts";
import type { FetchHandler } from "./handler.ts";
import type { Listening } from "./host.ts";
import { listenOnNode } from "./node.ts";

describe("a fetch handler on node", () => {
  const errors: unknown[] = [];
  const open: Listening[] = [];

  async function listen(respond: FetchHandler["respond"]): Promise<Listening> {
    const listening = await listenOnNode(
      {
        route: () => ({ kind: "page", page: { filter: "all", nonce: "" } }),
        handler: nodeHandlerOf({ kind: "fetch", respond }),
        onError: (error) => errors.push(error),
      },
      "127.0.0.1",
      0,
    );
    open.push(listening);
    return listening;
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map((listening) => listening.close(0)));
    errors.length = 0;
  });

  test("sees the request and sends status, headers and a streamed body", async () => {
    const { port } = await listen((_page, request) => {
      assert.equal(new URL(request.url).pathname, "/some");
      assert.equal(request.headers.get("x-test"), "1");
      const body = new ReadableStream({
        start(controller) {
          for (const piece of ["a", "b", "c"]) controller.enqueue(new TextEncoder().encode(piece));
          controller.close();
        },
      });
      return new Response(body, { status: 203, headers: { "x-answer": "2" } });
    });
    const answer = await fetch(`http://127.0.0.1:${port}/some`, { headers: { "x-test": "1" } });
    assert.equal(answer.status, 203);
    assert.equal(answer.headers.get("x-answer"), "2");
    assert.equal(answer.headers.get("transfer-encoding"), "chunked");
    assert.equal(await answer.text(), "abc");
    const head = await fetch(`http://127.0.0.1:${port}/some`, { method: "HEAD", headers: { "x-test": "1" } });
    assert.equal(head.status, 203);
    assert.equal(await head.text(), "");
  });

  test("is told when its client goes, and its body is cancelled", async () => {
    const aborted = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const { port } = await listen((_page, request) => {
      request.signal.addEventListener("abort", () => aborted.resolve());
      return new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
          cancel: () => cancelled.resolve(),
        }),
      );
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await once(socket, "data");
    socket.resetAndDestroy();
    await Promise.all([aborted.promise, cancelled.promise]);
    assert.deepEqual(errors, []);
  });

  test("that rejects answers 500; one whose body fails cuts the response off", async () => {
    const rejecting = await listen(() => Promise.reject(new Error("rejected")));
    assert.equal((await fetch(`http://127.0.0.1:${rejecting.port}/`)).status, 500);
    const failing = await listen(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.error(new Error("failed"));
            },
          }),
        ),
    );
    await assert.rejects(async () => (await fetch(`http://127.0.0.1:${failing.port}/`)).text());
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ["rejected", "failed"],
    );
  });
});
