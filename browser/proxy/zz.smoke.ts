import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startFront } from "./front.ts";

async function raw(answer: string, use: (s: http2.ClientHttp2Session, origin: string) => Promise<void>) {
  const server = net.createServer((socket) => { socket.on("error", () => undefined); socket.on("data", () => socket.write(answer)); }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const front = await startFront({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const session = http2.connect(front.origin, { rejectUnauthorized: false });
  try { await use(session, front.origin); } finally { session.destroy(); await front[Symbol.asyncDispose](); server.close(); }
}
const status = async (s: http2.ClientHttp2Stream) => { s.resume(); const [h] = (await once(s, "response")) as [http2.IncomingHttpHeaders]; return h[":status"]; };
for (const line of ["HTTP/1.1 999 odd\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nhttp2-settings: x\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "HTTP/1.1 200 OK\r\nx: \x01\x7f\r\nContent-Length: 0\r\n\r\n", "nonsense\r\n\r\n", "HTTP/1.1 103 Early\r\nlink: </x>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 204 No\r\nx-é: a\r\n\r\n","HTTP/1.1 200 OK\r\nconnection: x-hop, close\r\nx-hop: a\r\nContent-Length: 0\r\n\r\n","HTTP/1.1 200 OK\r\ncontent-type: a\r\ncontent-type: b\r\nset-cookie: a\r\nset-cookie: b\r\nContent-Length: 0\r\n\r\n"])
  test(JSON.stringify(line).slice(0, 60), { timeout: 5000 }, async () => {
    await raw(line, async (s) => { console.log(JSON.stringify(line).slice(0, 50), await status(s.request({ ":path": "/" }))); });
  });
for (const path of ["/a b", "/é", "*", "http://x/y"])
  test("path " + path, { timeout: 5000 }, async () => {
    await raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", async (s) => { console.log(path, await status(s.request({ ":path": path }))); });
  });
test("connect", { timeout: 5000 }, async () => {
  await raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", async (s) => { console.log("CONNECT", await status(s.request({ ":method": "CONNECT", ":authority": "x:1" }))); });
});
test("a connection that never shakes hands", { timeout: 5000 }, async () => {
  const front = await startFront({ host: "127.0.0.1", port: 1 });
  const s = net.connect(Number(new URL(front.origin).port), "127.0.0.1"); s.on("error", () => undefined);
  await once(s, "connect"); await delay(50);
  await front[Symbol.asyncDispose]();
});
test("stale keep-alive", { timeout: 20000 }, async () => {
  // closes right after each answer, without saying so
  let n = 0;
  const server = net.createServer((socket) => { socket.on("error", () => undefined); socket.on("data", () => { n += 1; socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"); setTimeout(() => socket.destroy(), 3); }); }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const front = await startFront({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const session = http2.connect(front.origin, { rejectUnauthorized: false });
  const seen: Record<string, number> = {};
  for (let i = 0; i < 1000; i += 1) { const st = String(await status(session.request({ ":path": "/" }))); seen[st] = (seen[st] ?? 0) + 1; await delay(i % 5); }
  console.log("stale", seen);
  session.destroy(); await front[Symbol.asyncDispose](); server.close();
});
