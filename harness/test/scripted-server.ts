/** A server on a bare socket that says what a script has for it, right or wrong; for tests. */
import net, { type AddressInfo } from "node:net";
import type { RawTarget } from "../raw-http.ts";

/** What a scripted server does with a request: bytes to send, in pieces, and how to end. */
export interface Script {
  readonly pieces: readonly string[];
  readonly ending?: "close" | "reset";
}

/** A whole answer. */
export const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Answers request n of a connection by script n; the last script goes on. */
export async function withServer<T>(
  scripts: readonly Script[],
  use: (target: RawTarget) => Promise<T>,
): Promise<T> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let turn = 0;
    let head = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", async (bytes) => {
      head += bytes.toString("latin1");
      if (!head.endsWith("\r\n\r\n")) return;
      head = "";
      const script = scripts[Math.min(turn, scripts.length - 1)];
      turn += 1;
      for (const piece of script?.pieces ?? []) await new Promise((resolve) => socket.write(piece, resolve));
      if (script?.ending === "close") socket.end();
      if (script?.ending === "reset") socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}
