/**
 * The server behind the front while that is measured: a thread of its own, so that it never waits for the front. Started
 * by `front.ts`, to which it tells its port.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";
import { writePieces } from "./pieces.ts";

const BODY = "x".repeat(1_000);

const server = http.createServer((request, response) => {
  if (request.url === "/pieces") void writePieces(response);
  else response.end(BODY);
});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
