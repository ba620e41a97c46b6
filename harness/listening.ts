/** Who listens on a TCP port of this machine, by `/proc/net/tcp` and the owners' open files. */
import { readdirSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { isGone, listProcesses, readProc } from "./proc.ts";

const LISTEN = "0A";

/** Inodes of the sockets that listen on `port`, from the text of `/proc/net/tcp` or `tcp6` (proc_pid_net(5)). */
export function parseListeners(text: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return text
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${wanted}`) && fields[3] === LISTEN)
    .map((fields) => fields[9] as string);
}

function listenerInodes(port: number): string[] {
  return ["tcp", "tcp6"].flatMap((table) => parseListeners(readProc(`/proc/net/${table}`) ?? "", port));
}

/** Inodes of all sockets that a process holds; none where its files may not be seen. */
export function socketInodes(pid: number): Set<string> {
  const inodes = new Set<string>();
  try {
    for (const fd of readdirSync(`/proc/${pid}/fd`)) {
      try {
        const match = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`));
        if (match) inodes.add(match[1] as string);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  } catch (error) {
    // Gone, or somebody else's process whose files we may not see: not one that we could name as the owner.
    if (!isGone(error) && (error as NodeJS.ErrnoException).code !== "EACCES") throw error;
  }
  return inodes;
}

export type Listener =
  | { readonly status: "none" }
  | { readonly status: "owned" }
  /** `pid` is null where the owner can't be seen from here. */
  | { readonly status: "foreign"; readonly pid: number | null; readonly command: string };

/** Who listens on `port`: nobody, `pids` alone, or (beside them) a stranger, who is named where that is possible. */
export function findListener(port: number, pids: readonly number[]): Listener {
  const inodes = listenerInodes(port);
  if (inodes.length === 0) return { status: "none" };
  const own = new Set(pids.flatMap((pid) => [...socketInodes(pid)]));
  // Several sockets may share a port (SO_REUSEPORT), and the kernel divides the connections between them.
  const foreign = inodes.filter((inode) => !own.has(inode));
  if (foreign.length === 0) return { status: "owned" };
  const stranger = listProcesses().find((pid) => {
    const sockets = socketInodes(pid);
    return foreign.some((inode) => sockets.has(inode));
  });
  const command =
    stranger === undefined
      ? "unknown"
      : (readProc(`/proc/${stranger}/cmdline`) ?? "").split("\0").join(" ").trim();
  return { status: "foreign", pid: stranger ?? null, command };
}

/** A TCP port of the loopback address that nobody holds at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new TypeError("a TCP server has a port");
    return address.port;
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
