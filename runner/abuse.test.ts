import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, it } from "node:test";
import { converse } from "../harness/raw-http.ts";
import { get } from "../todo/contract/http.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { abuse } from "./abuse.ts";

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

function sendPage(nonce: string, response: http.ServerResponse): void {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  const body = `<!doctype html><!-- ${"x".repeat(60_000)} --><html data-request="${nonce}"></html>\n`;
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}

/** A page at `/`, 404 for the rest. */
const right: Handler = (request, response) => {
  const [path, query] = (request.url ?? "").split("?");
  const nonce = /^r=([a-z0-9]{1,32})$/i.exec(query ?? "")?.[1] ?? "";
  if (path === "/") sendPage(nonce, response);
  else response.writeHead(404).end();
};

/** Does something else where `test` matches. */
function instead(test: (request: http.IncomingMessage) => boolean, other: Handler): Handler {
  return (request, response) => (test(request) ? other : right)(request, response);
}

async function abused(
  handler: Handler,
  {
    options = {},
    onSocket = () => {},
  }: { options?: http.ServerOptions; onSocket?: (socket: Socket) => void } = {},
): Promise<Problem[]> {
  const server = http.createServer({ keepAliveTimeout: 0, ...options }, handler);
  server.on("connection", onSocket);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const target = { host: "127.0.0.1", port: (server.address() as AddressInfo).port } as const;
  const settings = { timeoutMs: 300, signal: new AbortController().signal };
  const askOnce = async (): Promise<Problem[]> => {
    const [exchange] = await converse(target, [get("/?r=good")], settings);
    const { outcome } = exchange ?? assert.fail();
    if (outcome.kind === "failed") return [{ rule: "no-answer", expected: "an answer", seen: outcome.fault }];
    return outcome.reply.status === 200
      ? []
      : [{ rule: "status", expected: "200", seen: `${outcome.reply.status}` }];
  };
  try {
    return await abuse({ ...settings, target, mode: "complete", assetPath: "/assets/", askOnce });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The first line, as a reader sees it. */
function line(problems: readonly Problem[]): string {
  const [first] = problems;
  return first === undefined ? "nothing" : `${first.rule}: ${first.expected}; ${first.seen}`;
}

describe("abuse", () => {
  it("finds nothing wrong with a right server, whatever its limits are", async () => {
    assert.deepEqual(await abused(right), []);
    assert.deepEqual(await abused(right, { options: { maxHeaderSize: 4 * 1024 * 1024 } }), []);
  });

  const wrong: readonly (readonly [what: string, seen: RegExp, handler: () => Handler])[] = [
    [
      "a file given to whoever climbs for it",
      /^hostile-target: GET .*%2f.*: a refusal; status 200$/,
      () =>
        instead(
          ({ url }) => /%2f.*passwd/.test(url ?? ""),
          (_, response) => response.end("root:x:0:0"),
        ),
    ],
    [
      "500 for what can't be decoded",
      /^hostile-target: GET "\/%c0.*status 500$/,
      () => (request, response) => {
        try {
          decodeURIComponent(request.url ?? "");
        } catch {
          // What an unguarded handler makes of a target that can't be decoded.
          response.writeHead(500).end();
          return;
        }
        right(request, response);
      },
    ],
    [
      "an absolute address that is never answered",
      /^absolute-form: its own address as the target: the page, a refusal or a closed connection; timeout/,
      () =>
        instead(
          ({ url }) => url?.startsWith("http:") ?? false,
          () => {},
        ),
    ],
    [
      "pipelined requests that get each other's pages",
      /^pipelined: 2 requests in one write: .*nonce/,
      () => {
        let before = "";
        return (request, response) => {
          const own = /r=(\w{20})$/.exec(request.url ?? "")?.[1];
          if (own === undefined) return right(request, response);
          sendPage(before, response);
          before = own;
        };
      },
    ],
    [
      "a server that a hang-up breaks",
      /^no-answer: after a client that hung up at byte \d+: an answer; /,
      () => {
        let broken = false;
        return (request, response) => {
          request.socket.on("error", () => {});
          response.on("close", () => {
            broken ||= !response.writableFinished;
          });
          if (broken) request.socket.destroy();
          else if (request.url === "/") setImmediate(() => setImmediate(() => right(request, response)));
          else right(request, response);
        };
      },
    ],
    [
      "a server that half a body blocks",
      /^no-answer: beside half a body: /,
      () => {
        let blocked = false;
        return (request, response) => {
          if (request.method === "POST") blocked = true;
          else if (!blocked) right(request, response);
        };
      },
    ],
  ];
  for (const [what, seen, handler] of wrong) {
    it(`sees ${what}`, async () => assert.match(line(await abused(handler())), seen));
  }

  it("sees a server that has only so many connections in it", async () => {
    let connections = 0;
    const onSocket = (socket: Socket): void => {
      connections += 1;
      if (connections > 500) socket.destroy();
    };
    assert.match(
      line(await abused(right, { onSocket })),
      /^no-answer: connection \d+ of 1000, one after another: /,
    );
  });

  it("ends at the first case that the server doesn't survive", async () => {
    let requests = 0;
    const dying: Handler = (request, response) => {
      requests += 1;
      if (requests > 3) request.socket.destroy();
      else right(request, response);
    };
    assert.equal((await abused(dying)).length, 1);
  });
});
