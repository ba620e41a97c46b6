/** Two clients of one server, each on one established connection: past the front, and through it. */
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { Readable } from "node:stream";
import type { Front, FrontTarget } from "../proxy/front.ts";
import { type PiecesSeen, readPieces } from "./pieces.ts";

export interface Arm extends Disposable {
  /** From the request sent to the head of its answer; the body is read before it returns. */
  firstByteMs(): Promise<number>;
  pieces(): Promise<PiecesSeen>;
}

/** Sends a request. @returns its answer's body, once the head is there */
type Send = (path: string) => Promise<Readable>;

/** Over HTTP/1.1 to the server itself. */
export function directArm(target: FrontTarget): Arm {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const send: Send = async (path) => {
    const [response] = (await once(http.get({ ...target, agent, path }), "response")) as [
      http.IncomingMessage,
    ];
    return response;
  };
  return arm(send, () => agent.destroy());
}

/** Over TLS and HTTP/2 to the front. */
export function frontArm({ origin }: Front): Arm {
  const session = http2.connect(origin, { rejectUnauthorized: false });
  // Its streams fail with it, and are awaited.
  session.on("error", () => undefined);
  const send: Send = async (path) => {
    const stream = session.request({ ":path": path });
    await once(stream, "response");
    return stream;
  };
  return arm(send, () => session.destroy());
}

function arm(send: Send, end: () => void): Arm {
  return {
    async firstByteMs() {
      const sentAtMs = performance.now();
      const body = await send("/");
      const firstByteMs = performance.now() - sentAtMs;
      await once(body.resume(), "end");
      return firstByteMs;
    },
    pieces: async () => await readPieces(await send("/pieces")),
    [Symbol.dispose]: end,
  };
}
