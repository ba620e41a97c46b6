/** Real processes with real faults: what a launch refuses, and what a stop leaves behind (nothing). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { allowedCpus } from "./cpus.ts";
import { BenchError, type ErrorCode } from "./errors.ts";
import { assertOwnPort, launchServer, type ServerHandle } from "./launch.ts";
import { freePort } from "./listening.ts";
import { type AdapterManifest, parseManifest } from "./manifest.ts";
import { markRun } from "./mark.ts";
import { processesWithEnv, readProcStat } from "./proc.ts";

const CPU = allowedCpus()[0] as number;
const NEVER = new AbortController().signal;

/** A server that answers everything with 200, after `before` and with `after` run once it listens. */
function program(before = "", after = ""): string {
  return `const http = require("node:http");
${before}
http.createServer((request, response) => response.end("ok")).listen(Number(process.env.PORT), "127.0.0.1", () => { ${after} });`;
}

async function withServer(source: string, work: (manifest: AdapterManifest) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(path.join(tmpdir(), "launch-test-"));
  const folder = path.join(parent, "fake");
  try {
    await mkdir(folder);
    await writeFile(path.join(folder, "server.cjs"), source);
    const manifest = {
      id: "fake",
      displayName: "Fake",
      homepage: "https://example.org",
      versionFrom: "npm:fake",
      runtime: "node",
      build: [],
      start: ["node", "server.cjs"],
      artifacts: ["server.cjs"],
    };
    await work(parseManifest(JSON.stringify(manifest), folder));
  } finally {
    await rm(parent, { recursive: true });
  }
}

async function launched(
  source: string,
  work: (server: ServerHandle, markEntry: string) => Promise<void>,
): Promise<void> {
  await withServer(source, async (manifest) => {
    await using mark = markRun();
    const server = await launchServer({ manifest, mode: "complete", cpu: CPU, mark, signal: NEVER });
    try {
      await work(server, mark.entry);
    } finally {
      await server.stop();
    }
  });
}

async function refused(source: string, code: ErrorCode, said: RegExp, port?: number): Promise<void> {
  await withServer(source, async (manifest) => {
    await using mark = markRun();
    const options = {
      manifest,
      mode: "complete",
      cpu: CPU,
      mark,
      signal: NEVER,
      ...(port === undefined ? {} : { port }),
    } as const;
    await assert.rejects(
      launchServer(options),
      (error) => error instanceof BenchError && error.code === code && said.test(error.message),
    );
    assert.deepEqual(processesWithEnv(mark.entry), []);
  });
}

test("a server that is told to end does so, and a second stop gives the same outcome", async () => {
  await launched(program(`process.on("SIGTERM", () => process.exit(0));`), async (server) => {
    assert.deepEqual(server.pids(), [server.rootPid]);
    assert.ok(server.startMs > 0);
    const outcome = { killed: false, leftBehind: 0, exit: { exitCode: 0, signal: null } };
    assert.deepEqual(await server.stop(), outcome);
    assert.deepEqual(await server.stop(), outcome);
    assert.equal(server.gone.aborted, false, "an end that was asked for is no exit");
    assert.equal(readProcStat(server.rootPid), null);
  });
});

test("a server that ignores SIGTERM is killed", async () => {
  await launched(program(`process.on("SIGTERM", () => undefined);`), async (server) => {
    assert.deepEqual(await server.stop(), {
      killed: true,
      leftBehind: 0,
      exit: { exitCode: null, signal: "SIGKILL" },
    });
    assert.equal(readProcStat(server.rootPid), null);
  });
});

test("a child that was left behind, in a session of its own, is found and ended", async () => {
  const child = `require("node:child_process").spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref();`;
  await launched(program(`${child} process.on("SIGTERM", () => process.exit(0));`), async (server, mark) => {
    assert.equal(server.pids().length, 2);
    assert.equal((await server.stop()).leftBehind, 1);
    assert.deepEqual(processesWithEnv(mark), []);
  });
});

test("a child that cleaned its environment, in a session and with a parent of its own, is found and ended", async () => {
  const child = `require("node:child_process").execFileSync("setsid", ["-f", "sleep", "600"], { env: { PATH: process.env.PATH }, stdio: "ignore" });`;
  await launched(program(`${child} process.on("SIGTERM", () => process.exit(0));`), async (server, mark) => {
    const stray = server.pids().find((pid) => pid !== server.rootPid);
    assert.ok(stray !== undefined);
    assert.deepEqual(processesWithEnv(mark), [server.rootPid]);
    assert.equal((await server.stop()).leftBehind, 1);
    assert.equal(readProcStat(stray), null);
  });
});

test("a child that has given up both marks is known if it was seen in the tree", async () => {
  const lowered = ["prlimit", "--rttime=1:1", "sleep", "600"];
  const child = `const { spawn } = require("node:child_process");
    spawn(${JSON.stringify(lowered[0])}, ${JSON.stringify(lowered.slice(1))}, { env: { PATH: process.env.PATH }, detached: true, stdio: "ignore" }).unref();`;
  await launched(program(`${child} process.on("SIGTERM", () => process.exit(0));`), async (server) => {
    const [, stray] = server.pids();
    assert.ok(stray !== undefined);
    assert.equal((await server.stop()).leftBehind, 1);
    assert.equal(readProcStat(stray), null);
  });
});

test("a server that dies tells how, and what it printed last", async () => {
  const dies = program(
    "",
    `process.once("SIGUSR2", () => { console.error("out of luck"); process.exit(3); });`,
  );
  await launched(dies, async (server) => {
    process.kill(server.rootPid, "SIGUSR2");
    await once(server.gone, "abort");
    const reason = server.gone.reason as BenchError;
    assert.equal(reason.code, "server-exit");
    assert.match(reason.message, /exit code 3/);
    assert.match(reason.message, /out of luck/);
  });
});

test("a server that ends before its first answer is an error with its last lines", async () => {
  await refused(
    `console.error("no such thing"); process.exit(7);`,
    "server-exit",
    /exit code 7[\s\S]*no such thing/,
  );
});

test("a server that moves itself to another CPU is refused", async (context) => {
  const other = allowedCpus()[1];
  if (other === undefined) return context.diagnostic("one CPU only: nothing to move to");
  const moves = `require("node:child_process").execFileSync("taskset", ["-a", "-c", "-p", "${other}", String(process.pid)]);`;
  await refused(program(moves), "affinity", new RegExp(`CPU ${other}, not only on ${CPU}`));
});

test("a port that a stranger holds is named, and its owner is left alone", async () => {
  const port = await freePort();
  const stranger = createServer().listen(port, "127.0.0.1");
  await once(stranger, "listening");
  try {
    await refused(
      program(),
      "port-taken",
      new RegExp(`port ${port} is held by process ${process.pid}`),
      port,
    );
    assert.ok(stranger.listening);
  } finally {
    stranger.close();
  }
});

test("a stranger that shares the port with a server is named", async () => {
  const shares = program().replace(
    `.listen(Number(process.env.PORT), "127.0.0.1", `,
    `.listen({ port: Number(process.env.PORT), host: "127.0.0.1", reusePort: true }, `,
  );
  await launched(shares, async ({ target: { port }, pids }) => {
    await assertOwnPort(port, pids);
    const stranger = createServer().listen({ port, host: "127.0.0.1", reusePort: true });
    await once(stranger, "listening");
    try {
      await assert.rejects(assertOwnPort(port, pids), { code: "port-taken" });
    } finally {
      stranger.close();
    }
  });
});

test("when the runner is killed, its servers end by themselves", async () => {
  await withServer(program(), async (manifest) => {
    const runner = `
      import { launchServer } from ${JSON.stringify(path.join(import.meta.dirname, "launch.ts"))};
      import { markRun } from ${JSON.stringify(path.join(import.meta.dirname, "mark.ts"))};
      const mark = markRun();
      const manifest = ${JSON.stringify(manifest)};
      const server = await launchServer({ manifest, mode: "complete", cpu: ${CPU}, mark, signal: new AbortController().signal });
      console.log(JSON.stringify([server.rootPid, mark.entry]));
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", runner], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const [serverPid, mark] = JSON.parse(String(line)) as [number, string];
    assert.notEqual(readProcStat(serverPid), null);
    child.kill("SIGKILL");
    // The watchdog holds no output of ours: what tells its work is the kernel's list of processes.
    while (processesWithEnv(mark).length > 0 || readProcStat(serverPid) !== null)
      await new Promise(setImmediate);
  });
});
