import assert from "node:assert/strict";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { test } from "node:test";
import { askXServer, type XServer } from "./x-server.ts";

/** Displays listen from this port on. */
const FIRST_PORT = 6000;

/** What is said of a server that answers the first request so; null: it hangs up. */
async function asked(reply: Buffer | null): Promise<XServer> {
  const server = net.createServer((socket) => {
    socket.once("data", () => (reply === null ? socket.destroy() : socket.end(reply)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    return await askXServer(`127.0.0.1:${port - FIRST_PORT}.0`);
  } finally {
    server.close();
  }
}

function accepting(release: number): Buffer {
  const reply = Buffer.alloc(16);
  reply[0] = 1;
  reply.writeUInt32LE(release, 8);
  return reply;
}

test("an X server that takes clients tells its release; one that asks for more is there all the same", async () => {
  assert.deepEqual(await asked(accepting(12_101_007)), { status: "there", release: "21.1.7" });
  assert.deepEqual(await asked(Buffer.from([0, 9, 11])), { status: "there", release: null });
});

test("what hangs up, what doesn't listen and what is no display isn't there", async () => {
  assert.deepEqual(await asked(null), { status: "none" });
  assert.deepEqual(await askXServer("127.0.0.1:59535"), { status: "none" });
  assert.deepEqual(await askXServer("nonsense"), { status: "none" });
});
