import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { outboundPorts, parseTcpTable, readOutboundPorts } from "./outbound.ts";

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 100 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 101 1 0 20 4 30 10 -1
   2: 0100007F:C002 0100007F:2328 01 00000000:00000000 00:00000000 00000000     0        0 102 1 0 20 4 30 10 -1
   3: 0100007F:C003 0100007F:C004 01 00000000:00000000 00:00000000 00000000     0        0 103 1 0 20 4 30 10 -1
   4: 0100007F:C004 0100007F:C003 01 00000000:00000000 00:00000000 00000000     0        0 104 1 0 20 4 30 10 -1
   5: 0100007F:C005 0100007F:2329 06 00000000:00000000 00:00000000 00000000     0        0 105 1 0 20 4 30 10 -1
`;

describe("connections that a server has made", () => {
  const sockets = parseTcpTable(TABLE);

  test("are those that neither came in nor stay among its own processes, and are open", () => {
    const inodes = new Set(["100", "101", "102", "103", "104", "105"]);
    assert.deepEqual(outboundPorts(sockets, inodes, 8080), [9000]);
  });

  test("are nobody else's", () => assert.deepEqual(outboundPorts(sockets, new Set(["101"]), 8080), []));

  test("are found in a process that has one", async () => {
    const server = net.createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const command = `require("net").connect(${port}, "127.0.0.1").on("data", () => undefined)`;
    const child = spawn(process.execPath, ["-e", command], { stdio: "ignore" });
    try {
      const [socket] = (await once(server, "connection")) as [net.Socket];
      assert.deepEqual(readOutboundPorts([child.pid as number], 1), [port]);
      socket.destroy();
    } finally {
      child.kill();
      server.close();
    }
  });
});
