/**
 * The load generator against real servers with one fault each: the right counter moves, the others stay at 0, and the
 * readings stay consistent with themselves.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { allowedCpus } from "../../harness/cpus.ts";
import { BenchError } from "../../harness/errors.ts";
import { processTree } from "../../harness/proc.ts";
import { decodeHistogram } from "../../report/histogram.ts";
import { type LoadReadings, loadReadingsSchema, probeSchema, warmSchema } from "../../report/schema.ts";
import { loadGenerator } from "./drive.ts";
import type { Measured, MeasureSettings } from "./port.ts";

const CONNECTIONS = 8;
/** What a server takes for an answer: with few connections the client's own time between two requests would weigh as much as that of one that answers at once. */
const ANSWER_MS = 8;
const FILLER = "<p>An ordinary paragraph of an ordinary page.</p>".repeat(400);

interface Request {
  readonly nonce: string;
  /** Counted from 1, over all connections. */
  readonly number: number;
  /** The connection's number, counted from 1. */
  readonly connection: number;
}
type Reply = (socket: Socket, request: Request) => void;

function page(nonce: string, end = "</html>\n"): string {
  return `<!doctype html><html lang="en"><body data-request="${nonce}">${FILLER}</body>${end}`;
}

function withLength(body: string, head = "HTTP/1.1 200 OK\r\n"): string {
  return `${head}Content-Type: text/html\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function chunks(body: string, terminator = "0\r\n\r\n"): string {
  const half = body.length >> 1;
  const pieces = [body.slice(0, half), body.slice(half)].map(
    (piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`,
  );
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces.join("")}${terminator}`;
}

const right: Reply = (socket, { nonce }) => socket.write(withLength(page(nonce)));

/** A faulty answer to every `every`th request, right ones to the others. */
function sometimes(every: number, faulty: Reply): Reply {
  return (socket, request) => (request.number % every === 0 ? faulty : right)(socket, request);
}

interface TestServer {
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

async function listen(reply: Reply): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let requests = 0;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // What the load does to its sockets when it ends isn't what is tested.
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const nonce = /^GET \/\?r=([a-z0-9]{1,32}) HTTP\/1\.1\r\n/.exec(text)?.[1];
        text = text.slice(end + 4);
        requests += 1;
        if (nonce === undefined) continue;
        const request = { nonce, number: requests, connection };
        setTimeout(() => {
          if (!socket.destroyed) reply(socket, request);
        }, ANSWER_MS);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function settings(port: number): MeasureSettings {
  return {
    target: { host: "127.0.0.1", port },
    connections: CONNECTIONS,
    workers: 2,
    cpus: allowedCpus().slice(-1),
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    warmMs: 200,
    warmLimitMs: 300,
    windowMs: 700,
    keepBodies: 5,
    onWindow: () => undefined,
  };
}

async function measure(reply: Reply, changes: Partial<MeasureSettings> = {}): Promise<Measured> {
  await using server = await listen(reply);
  const measured = await loadGenerator.measure({ ...settings(server.port), ...changes });
  loadReadingsSchema.parse(measured.load);
  warmSchema.parse(measured.warm);
  assertConsistent(measured.load);
  return measured;
}

function wrongCounts(load: LoadReadings): Record<string, number> {
  const all = { ...load.errors, ...load.invalid, non2xx: load.non2xx };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

function assertConsistent(load: LoadReadings): void {
  const busy = (load.inFlightMs + load.waitingMs) / load.windowMs;
  const context = JSON.stringify({ ...load, latency: undefined, firstByte: undefined });
  assert.ok(Math.abs(busy / load.connections - 1) <= 0.05, `${busy} connections at work: ${context}`);
  const failed = Object.values(wrongCounts(load)).reduce((sum, count) => sum + count, 0);
  assert.ok(Math.abs(load.sent - load.completed - failed) <= load.connections, context);
  assert.ok(load.unfinished <= load.connections, context);
  for (const timings of [load.latency, load.firstByte]) {
    const decoded = decodeHistogram(timings.histogram);
    assert.ok(decoded.ok);
    assert.equal(decoded.histogram.total, load.completed);
    assert.equal(timings.count, load.completed);
    assert.ok(decoded.histogram.sumUs.low <= timings.sumUs && timings.sumUs <= decoded.histogram.sumUs.high);
    assert.ok(decoded.histogram.maxUs.low <= timings.maxUs && timings.maxUs <= decoded.histogram.maxUs.high);
  }
  assert.ok(load.firstByte.sumUs <= load.latency.sumUs);
}

/** What is counted when all answers have the fault, and when only one in fifty has. */
const FAULTS: readonly { readonly name: string; readonly counter: string; readonly reply: Reply }[] = [
  {
    name: "cut short with Content-Length, FIN",
    counter: "closedInBody",
    reply: (socket, { nonce }) => socket.end(withLength(page(nonce)).slice(0, -5_000)),
  },
  {
    name: "cut short with Content-Length, RST",
    counter: "reset",
    reply: (socket, { nonce }) =>
      socket.write(withLength(page(nonce)).slice(0, -5_000), () => socket.resetAndDestroy()),
  },
  {
    name: "cut short within a chunk, FIN",
    counter: "closedInBody",
    reply: (socket, { nonce }) => socket.end(chunks(page(nonce)).slice(0, -5_000)),
  },
  {
    name: "no chunk terminator, then closed",
    counter: "closedInBody",
    reply: (socket, { nonce }) => socket.end(chunks(page(nonce), "")),
  },
  {
    name: "no chunk terminator, then RST",
    counter: "reset",
    reply: (socket, { nonce }) => socket.write(chunks(page(nonce), ""), () => socket.resetAndDestroy()),
  },
  {
    name: "closed without a byte",
    counter: "closedInHead",
    reply: (socket) => socket.end(),
  },
  {
    name: "Connection: close",
    counter: "connectionClose",
    reply: (socket, { nonce }) =>
      socket.end(withLength(page(nonce), "HTTP/1.1 200 OK\r\nConnection: close\r\n")),
  },
  {
    name: "neither length nor chunks",
    counter: "noFraming",
    reply: (socket, { nonce }) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${page(nonce)}`),
  },
  {
    name: "garbage",
    counter: "unparsable",
    reply: (socket) => socket.write("This is not HTTP.\r\n\r\nNot at all.\r\n"),
  },
  {
    name: "a length that is no number",
    counter: "unparsable",
    reply: (socket, { nonce }) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n${page(nonce)}`),
  },
  {
    name: "a chunk's size that is no number",
    counter: "unparsable",
    reply: (socket, { nonce }) => socket.write(chunks(page(nonce), "end\r\n\r\n")),
  },
  {
    name: "more than the declared length",
    counter: "length",
    reply: (socket, { nonce }) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${page(nonce)}`),
  },
  {
    name: "103 before 200",
    counter: "interim",
    reply: (socket, { nonce }) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${withLength(page(nonce))}`),
  },
  {
    name: "another request's page",
    counter: "nonce",
    reply: (socket, { nonce }) => socket.write(withLength(page(nonce.split("").reverse().join("")))),
  },
  {
    name: "no end of the document",
    counter: "sentinel",
    reply: (socket, { nonce }) => socket.write(withLength(page(nonce, ""))),
  },
  {
    name: "502",
    counter: "non2xx",
    // Not at once: between such small answers a slot's own idle moments would be a share of the whole.
    reply: (socket) => setTimeout(() => socket.write(withLength("no", "HTTP/1.1 502 Bad Gateway\r\n")), 5),
  },
  {
    name: "502 without keep-alive",
    counter: "non2xx",
    reply: (socket) => socket.end(withLength("no", "HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n")),
  },
];

test("a right server: nothing but completions", async () => {
  const { load, kept, warm } = await measure(right);
  assert.deepEqual(wrongCounts(load), {});
  assert.ok(load.completed > 100);
  assert.equal(load.starvedConnections, 0);
  assert.equal(warm.status, "ok");
  assert.equal(kept.length, 5);
  for (const { nonce, body, sentAtMs, endedAtMs } of kept) {
    assert.equal(Buffer.from(body).toString(), page(nonce));
    assert.ok(sentAtMs <= endedAtMs);
  }
  const bytes = Buffer.byteLength(page("x".repeat(kept[0]?.nonce.length ?? 0)));
  assert.deepEqual(load.bodyBytes, { sum: bytes * load.completed, min: bytes, max: bytes });
});

test("a right server with chunks: body bytes are counted without them", async () => {
  const { load, kept } = await measure((socket, { nonce }) => socket.write(chunks(page(nonce))));
  assert.deepEqual(wrongCounts(load), {});
  assert.equal(load.bodyBytes.min, kept[0]?.body.length);
});

test("a nonce and an end that are torn between pieces are found", async () => {
  const { load } = await measure((socket, { nonce }) => {
    const body = page(nonce);
    const at = body.indexOf(nonce) + 5;
    const pieces = [body.slice(0, at), body.slice(at, -4), body.slice(-4)];
    const framed = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${framed}0\r\n\r\n`);
  });
  assert.deepEqual(wrongCounts(load), {});
});

describe("each fault", { concurrency: 3 }, () => {
  for (const { name, counter, reply } of FAULTS) {
    test(`${name}, always: ${counter}`, async () => {
      const { load } = await measure(reply);
      assert.deepEqual(Object.keys(wrongCounts(load)), [counter]);
      assert.equal(load.completed, 0);
    });
    test(`${name}, one in fifty: ${counter}, and the others complete`, async () => {
      const { load } = await measure(sometimes(50, reply), { windowMs: 1_000 });
      assert.deepEqual(Object.keys(wrongCounts(load)), [counter]);
      const wrong = wrongCounts(load)[counter] ?? 0;
      // About 49 to one; fewer where a worker that had no CPU reads its faulty answer only after the window's start.
      assert.ok(load.completed >= 20 * (wrong - 2), `${load.completed} completed beside ${wrong}`);
    });
  }
});

test("an odd number of connections, and more workers than connections", async () => {
  const odd = await measure(right, { connections: 7 });
  assert.deepEqual(
    odd.load.workers.map((worker) => worker.connections),
    [4, 3],
  );
  const one = await measure(right, { connections: 1, workers: 2 });
  assert.deepEqual(
    one.load.workers.map((worker) => worker.connections),
    [1],
  );
});

test("a 502 in a thousand is counted exactly", async () => {
  let refused = 0;
  const { load, warm } = await measure(
    sometimes(1000, (socket) => {
      refused += 1;
      socket.write(withLength("no", "HTTP/1.1 502 Bad Gateway\r\n"));
    }),
    { connections: 64, windowMs: 1_500 },
  );
  assert.ok(load.non2xx > 0);
  assert.ok(load.non2xx + warm.non2xx <= refused);
  assert.deepEqual(Object.keys(wrongCounts(load)), ["non2xx"]);
});

test("two replies to one request: invalid, and the pairing is found again", async () => {
  const twice: Reply = (socket, { nonce }) => {
    socket.write(withLength(page(nonce)));
    socket.write(withLength(page(nonce)));
  };
  const { load } = await measure(sometimes(50, twice));
  const { length = 0, nonce = 0, ...others } = wrongCounts(load);
  assert.deepEqual(others, {});
  assert.ok(length + nonce > 0);
  assert.ok(load.completed > 20 * (length + nonce));
});

test("a reply that never comes, to anybody: timeouts", async () => {
  const { load, warm } = await measure(() => undefined, { timeoutMs: 300 });
  assert.deepEqual(Object.keys(wrongCounts(load)), ["timeout"]);
  assert.equal(load.starvedConnections, CONNECTIONS);
  assert.equal(warm.status, "short");
  assert.equal(load.longestGapMs, load.windowMs);
});

test("a reply that never comes, on one connection: it is starved, the others go on", async () => {
  const { load } = await measure((socket, request) => {
    if (request.connection !== 3) right(socket, request);
  });
  assert.deepEqual(wrongCounts(load), {});
  assert.equal(load.starvedConnections, 1);
});

test("slow first answers extend the warm-up", async () => {
  const seen = new Set<number>();
  const { load, warm } = await measure(
    (socket, request) => {
      const first = !seen.has(request.connection);
      seen.add(request.connection);
      if (first) setTimeout(() => right(socket, request), 100 * request.connection);
      else right(socket, request);
    },
    { warmLimitMs: 10_000 },
  );
  assert.equal(warm.status, "extended");
  assert.ok((warm.allAnsweredMs ?? 0) >= 790 && warm.durationMs >= (warm.allAnsweredMs ?? 0));
  assert.deepEqual(wrongCounts(load), {});
});

test("a stall of a second shows as the longest gap", async () => {
  let stalledUntilMs = 0;
  const { load } = await measure(
    (socket, request) => {
      const waitMs = stalledUntilMs - performance.now();
      if (waitMs > 0) setTimeout(() => right(socket, request), waitMs);
      else right(socket, request);
    },
    {
      windowMs: 2_000,
      onWindow: () => {
        setTimeout(() => {
          stalledUntilMs = performance.now() + 1_000;
        }, 500);
      },
    },
  );
  assert.deepEqual(wrongCounts(load), {});
  assert.ok(load.longestGapMs >= 900, `${load.longestGapMs} ms`);
  assert.equal(load.completionsPerSecond.length, 2);
});

test("a server that dies in the window: resets, then refusals without a spin", async () => {
  const server = await listen(right);
  let dying: Promise<void> | undefined;
  const { load } = await loadGenerator.measure({
    ...settings(server.port),
    windowMs: 1_500,
    onWindow: () => {
      dying = delay(500).then(() => server[Symbol.asyncDispose]());
    },
  });
  await dying;
  assertConsistent(load);
  assert.ok(load.errors.refused > 0 && load.completed > 0);
  assert.ok(load.errors.refused <= CONNECTIONS * 15, `${load.errors.refused} refusals in a second`);
  assert.ok(load.waitingMs > 0);
  const { refused: _, reset: __, closedInHead: ___, closedInBody: ____, ...others } = wrongCounts(load);
  assert.deepEqual(others, {});
});

test("no server at all: only refusals", async () => {
  const server = await listen(right);
  await server[Symbol.asyncDispose]();
  const { load, warm } = await loadGenerator.measure(settings(server.port));
  assertConsistent(load);
  assert.deepEqual(Object.keys(wrongCounts(load)), ["refused"]);
  assert.equal(warm.allAnsweredMs, null);
});

test("a probe reads 1, 2 and 1 times the connections", async () => {
  const seen = new Set<number>();
  await using server = await listen((socket, request) => {
    seen.add(request.connection);
    right(socket, request);
  });
  const probes = await loadGenerator.probe({ ...settings(server.port), unrecordedMs: 200, probeMs: 400 });
  for (const probe of probes) probeSchema.parse(probe);
  assert.deepEqual(
    probes.map((probe) => probe.connections),
    [CONNECTIONS, 2 * CONNECTIONS, CONNECTIONS],
  );
  assert.ok(probes.every((probe) => probe.completed > 0 && probe.errors === 0));
  assert.equal(seen.size, 2 * CONNECTIONS);
});

test("an abort ends the load with its own reason, and leaves no worker", async () => {
  await using server = await listen(right);
  const controller = new AbortController();
  const reason = new Error("Ctrl-C");
  const loading = loadGenerator.measure({
    ...settings(server.port),
    signal: controller.signal,
    windowMs: 60_000,
    onWindow: () => controller.abort(reason),
  });
  await assert.rejects(loading, reason);
  assert.deepEqual(processTree(process.pid), [process.pid]);
});

test("a worker that is killed is a failed load", async () => {
  await using server = await listen(right);
  const loading = loadGenerator.measure({
    ...settings(server.port),
    windowMs: 60_000,
    onWindow: () => process.kill(processTree(process.pid)[1] as number, "SIGKILL"),
  });
  await assert.rejects(
    loading,
    (error) =>
      error instanceof BenchError && error.code === "load-failed" && error.message.includes("SIGKILL"),
  );
  assert.deepEqual(processTree(process.pid), [process.pid]);
});

test("a worker that falls silent is a failed load", async () => {
  await using server = await listen(right);
  const loading = loadGenerator.measure({
    ...settings(server.port),
    onWindow: () => process.kill(processTree(process.pid)[1] as number, "SIGSTOP"),
  });
  await assert.rejects(
    loading,
    (error) =>
      error instanceof BenchError && error.code === "load-failed" && error.message.includes("silent"),
  );
  assert.deepEqual(processTree(process.pid), [process.pid]);
});

test("workers end with their driver, however it ends", async () => {
  await using server = await listen(right);
  const source = `
    import { loadGenerator } from ${JSON.stringify(`${import.meta.dirname}/drive.ts`)};
    const settings = ${JSON.stringify({ ...settings(server.port), windowMs: 60_000 })};
    await loadGenerator.measure({
      ...settings,
      signal: new AbortController().signal,
      onWindow: () => console.log("window"),
    });`;
  const driver: ChildProcess = spawn(process.execPath, ["--input-type=module-typescript", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(driver.stdout as NodeJS.ReadableStream, "data");
  const workers = processTree(driver.pid as number).slice(1);
  assert.equal(workers.length, 2);
  driver.kill("SIGKILL");
  await once(driver, "exit");
  const deadlineMs = performance.now() + 10_000;
  const alive = (): boolean => workers.some((pid) => processTree(pid).length > 0);
  while (alive() && performance.now() < deadlineMs) await delay(20);
  assert.ok(!alive());
});
