/** Which connections a server has made itself, by `/proc/net/tcp`: whom it asks for help would do its work unseen. */
import { socketInodes } from "./listening.ts";
import { readProc } from "./proc.ts";

/** States of a connection that is being made, or is there (`include/net/tcp_states.h`). */
const OPEN_STATES = new Set(["01", "02"]);

/** One line of `/proc/net/tcp` or `tcp6`; addresses as they stand there, `IP:PORT` in hexadecimal. */
export interface TcpSocket {
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly inode: string;
}

/** The lines of such a table (proc_pid_net(5)). */
export function parseTcpTable(text: string): TcpSocket[] {
  return text
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length > 9)
    .map(([, local = "", remote = "", state = "", , , , , , inode = ""]) => ({
      local,
      remote,
      state,
      inode,
    }));
}

/**
 * Ports that the owners of `inodes` have connected to: not the connections that came in at `listeningPort`, and not
 * those between the owners themselves. Pure.
 */
export function outboundPorts(
  sockets: readonly TcpSocket[],
  inodes: ReadonlySet<string>,
  listeningPort: number,
): number[] {
  const open = sockets.filter(({ state }) => OPEN_STATES.has(state));
  const own = open.filter(({ inode }) => inodes.has(inode));
  const ownEnds = new Set(own.map(({ local }) => local));
  return own
    .filter(({ local, remote }) => portOf(local) !== listeningPort && !ownEnds.has(remote))
    .map(({ remote }) => portOf(remote));
}

/** The same of a running server. @param pids its process tree */
export function readOutboundPorts(pids: readonly number[], listeningPort: number): number[] {
  const sockets = ["tcp", "tcp6"].flatMap((table) => parseTcpTable(readProc(`/proc/net/${table}`) ?? ""));
  const inodes = new Set(pids.flatMap((pid) => [...socketInodes(pid)]));
  return outboundPorts(sockets, inodes, listeningPort);
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}
