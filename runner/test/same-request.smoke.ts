/** A server sees no difference between a request of the verifier and one of the load: the bytes on its socket say so. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { allowedCpus } from "../../harness/cpus.ts";
import { loadGenerator } from "../load/drive.ts";
import { verifyServer } from "../verify.ts";
import { ZOO_MANIFEST } from "./zoo.ts";

const NONCE = /(?<=\?r=)[0-9a-f]{20}(?= )/;
/** What the load measures; other verifications ask for other things. */
const PLAIN = /^GET \/\?r=[0-9a-f]{20} /;

/** Keeps what is sent to it, and answers each head with a page for its nonce. */
async function recorder() {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const head = text.slice(0, end + 4);
        text = text.slice(end + 4);
        heads.push(head);
        const body = `<p>${NONCE.exec(head)?.[0] ?? ""}</p></html>`;
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    target: { host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    /** What came since the last call. */
    take: () => heads.splice(0),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  } as const;
}

test("the load's requests are the verifier's own, byte for byte but for the nonce", async () => {
  await using server = await recorder();
  const { target } = server;
  const { signal } = new AbortController();
  const options = {
    target,
    manifest: ZOO_MANIFEST,
    artifacts: [],
    mode: "complete",
    pids: () => [],
    signal,
  } as const;

  await verifyServer({ ...options, depth: "before-load" });
  const [first = "", ...others] = server.take().filter((head) => PLAIN.test(head));
  const plain = first.replace(NONCE, "NONCE");
  const same = others.filter((head) => head.replace(NONCE, "NONCE") === plain);
  assert.ok(same.length >= 8, `${same.length} plain requests beside the first:\n${others.join("")}`);

  await loadGenerator.measure({
    target,
    connections: 4,
    workers: 2,
    cpus: allowedCpus().slice(-1),
    timeoutMs: 10_000,
    signal,
    warmMs: 200,
    warmLimitMs: 10_000,
    windowMs: 200,
    keepBodies: 5,
    onWindow: () => undefined,
  });
  const loaded = server.take();
  assert.ok(loaded.length > 100, `${loaded.length} requests`);
  assert.deepEqual([...new Set(loaded.map((head) => head.replace(NONCE, "NONCE")))], [plain]);
});
