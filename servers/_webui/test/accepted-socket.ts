/**
 * Run by Bun, whose FFI reaches the system calls: starts a server, connects to it, and prints whether the socket that it
 * accepted sends small pieces at once. The server is this process's child, so that its sockets may be looked at.
 *
 * `bun accepted-socket.ts PORT PROGRAM [ARGUMENT…]` prints `true` or `false`.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const START_LIMIT_MS = 15_000;
const PIDFD_OPEN = 434;
const PIDFD_GETFD = 438;
const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
const SOCKADDR_BYTES = 28;

const { i64, i32, pointer } = FFIType;
const { symbols: libc } = dlopen("libc.so.6", {
  syscall: { args: [i64, i64, i64, i64], returns: i64 },
  getpeername: { args: [i32, pointer, pointer], returns: i32 },
  getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
});

const [port, program, ...args] = process.argv.slice(2);
const server = spawn(program as string, args, { stdio: ["ignore", "ignore", "inherit"] });
try {
  const client = await connected(server, Number(port));
  process.stdout.write(`${sendsAtOnce(server.pid as number, client.localPort as number)}\n`);
  client.destroy();
} finally {
  server.kill("SIGKILL");
}

/** A connection on which the server has answered, so that it has accepted it. */
async function connected(child: ChildProcess, at: number): Promise<Socket> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const socket = connect(at, "127.0.0.1");
    try {
      await once(socket, "connect");
      socket.write("GET /bench/info HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
      await once(socket, "data");
      return socket;
    } catch {
      // Not listening yet.
      socket.destroy();
      await sleep(50);
    }
  }
  throw new Error(`nothing answers at port ${at}`);
}

function sendsAtOnce(pid: number, clientPort: number): boolean {
  const process = libc.syscall(BigInt(PIDFD_OPEN), BigInt(pid), 0n, 0n);
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    if (!readlinkSync(`/proc/${pid}/fd/${name}`).startsWith("socket:")) continue;
    const fd = Number(libc.syscall(BigInt(PIDFD_GETFD), process, BigInt(name), 0n));
    if (fd < 0) throw new Error(`descriptor ${name} of process ${pid} can't be looked at`);
    if (peerPort(fd) === clientPort) return tcpNoDelay(fd);
  }
  throw new Error(`process ${pid} holds no socket to port ${clientPort}`);
}

/** The port at the other end; 0 for what isn't connected. */
function peerPort(fd: number): number {
  const address = new DataView(new ArrayBuffer(SOCKADDR_BYTES));
  const length = new Uint32Array([SOCKADDR_BYTES]);
  return libc.getpeername(fd, ptr(address), ptr(length)) === 0 ? address.getUint16(2) : 0;
}

function tcpNoDelay(fd: number): boolean {
  const value = new Int32Array(1);
  const length = new Uint32Array([value.byteLength]);
  if (libc.getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, ptr(value), ptr(length)) !== 0) {
    throw new Error("the socket doesn't say whether it has TCP_NODELAY");
  }
  return value[0] !== 0;
}
