/** Asks an X server who it is: the first exchange of the X11 protocol, and nothing more. */
import { once } from "node:events";
import net from "node:net";

const ANSWER_LIMIT_MS = 2_000;
/** Little-endian, protocol 11.0, no authorization. */
const SETUP_REQUEST = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/** In an accepting reply: how far to read, and where the release stands in it. */
const FIXED_BYTES = 12;
const RELEASE_OFFSET = 8;
const ACCEPTED = 1;

/** `release` is null where the server wants an authorization that wasn't given: it is there all the same. */
export type XServer =
  | { readonly status: "none" }
  | { readonly status: "there"; readonly release: string | null };

/** @param display such as `:0`, `unix:0` or `localhost:10.0` */
export async function askXServer(display: string): Promise<XServer> {
  for (const address of addressesOf(display)) {
    const server = await ask(address);
    if (server.status === "there") return server;
  }
  return { status: "none" };
}

/** A local server listens at a path and, under Linux, at the abstract name that is the same; one of them may be missing. */
function addressesOf(display: string): net.NetConnectOpts[] {
  const parts = /^(?<host>[^:]*):(?<number>\d+)(?:\.\d+)?$/.exec(display)?.groups;
  if (parts === undefined) return [];
  const { host, number } = parts as { host: string; number: string };
  if (host !== "" && host !== "unix") return [{ host, port: 6000 + Number(number) }];
  const path = `/tmp/.X11-unix/X${number}`;
  return [{ path }, { path: `\0${path}` }];
}

async function ask(address: net.NetConnectOpts): Promise<XServer> {
  const socket = net.connect(address);
  try {
    const closed = new AbortController();
    socket.once("close", () => closed.abort());
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
    await once(socket, "connect", { signal });
    socket.write(SETUP_REQUEST);
    let reply = Buffer.alloc(0);
    while (reply.byteLength < FIXED_BYTES) {
      const [piece] = (await once(socket, "data", { signal })) as [Buffer];
      reply = Buffer.concat([reply, piece]);
      if (reply[0] !== ACCEPTED) return { status: "there", release: null };
    }
    return { status: "there", release: releaseName(reply.readUInt32LE(RELEASE_OFFSET)) };
  } catch {
    // No such socket, refused, or silence: there is none.
    return { status: "none" };
  } finally {
    socket.destroy();
  }
}

/** X.Org's numbering: 12101007 is 21.1.7 (xorg-server's configure script: VENDOR_RELEASE). */
function releaseName(release: number): string {
  return [Math.floor(release / 100_000) % 100, Math.floor(release / 1_000) % 100, release % 1_000].join(".");
}
