/**
 * One at a time, over all processes of this machine that name the same lock. Plain JavaScript, because set-up needs
 * it before the pinned Node is there.
 *
 * A lock is a listening socket in Linux's abstract namespace: binding is atomic, it leaves no file, and the kernel
 * releases it when its holder dies, however that happens. Who waits holds a connection to it, which ends with it.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** See lock.d.mts. */
export async function withLock(name, onWait, work, signal) {
  const address = `\0ssr-todo-bench-${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
  const release = await acquire(address, onWait, signal);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquire(address, onWait, signal) {
  let waited = false;
  for (;;) {
    const release = await tryListen(address);
    if (release !== null) return release;
    if (!waited) onWait();
    waited = true;
    await heldByAnother(address, signal);
  }
}

/** A function that releases the lock, or null where another process holds it. */
async function tryListen(address) {
  const waiting = new Set();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => waiting.delete(socket));
    socket.resume();
  });
  try {
    server.listen({ path: address });
    await once(server, "listening");
  } catch (error) {
    if (error.code === "EADDRINUSE") return null;
    throw error;
  }
  return async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of waiting) socket.destroy();
    await closed;
  };
}

/** Resolves when the holder lets go, or dies; at once where it has done so already. */
async function heldByAnother(address, signal) {
  signal?.throwIfAborted();
  const socket = connect({ path: address });
  const giveUp = () => socket.destroy();
  socket.on("error", giveUp);
  signal?.addEventListener("abort", giveUp, { once: true });
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
  signal?.removeEventListener("abort", giveUp);
  signal?.throwIfAborted();
}
