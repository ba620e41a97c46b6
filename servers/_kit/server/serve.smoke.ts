import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { PINNED_RUNTIMES, type PinnedRuntime, runtimeBinary } from "../../../harness/tools.ts";

const FIXTURE = path.resolve(import.meta.dirname, "../test/fixture-server.ts");

/** What a runtime is started with before the script. */
const RUN: Readonly<Record<PinnedRuntime, readonly string[]>> = {
  node: [],
  bun: [],
  deno: ["run", "--allow-net", "--allow-read", "--allow-env"],
};

for (const runtime of PINNED_RUNTIMES)
  describe(`a server process on the kit, run by ${runtime}`, () => {
    let folder: string;

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "kit-serve-"));
      const client = path.join(folder, "dist", "client");
      await mkdir(path.join(client, ".vite"), { recursive: true });
      await mkdir(path.join(client, "assets"));
      await writeFile(path.join(client, "assets", "c.js"), "");
      const chunks = {
        "f.svg": { file: "assets/f.svg", src: "../favicon.svg" },
        "client.ts": { file: "assets/c.js", isEntry: true, css: ["assets/c.css"] },
      };
      await writeFile(path.join(client, ".vite", "manifest.json"), JSON.stringify(chunks));
    });
    after(() => rm(folder, { recursive: true }));

    function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
      return spawn(runtimeBinary(runtime), [...RUN[runtime], FIXTURE, ...args], {
        env: { ...process.env, FIXTURE_FOLDER: folder, FIXTURE_RUNTIME: runtime, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
    }

    async function failing(args: readonly string[], env = {}): Promise<{ code: number; stderr: string }> {
      const child = run(args, env);
      let stderr = "";
      child.stderr?.on("data", (chunk: Buffer) => {
        stderr += chunk;
      });
      const [code] = (await once(child, "close")) as [number];
      return { code, stderr };
    }

    /** Started and listening. @returns its address, from the line that it prints */
    async function start(
      env: Readonly<Record<string, string>>,
    ): Promise<{ child: ChildProcess; origin: string }> {
      const child = run([], env);
      assert(child.stdout !== null);
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      return { child, origin: /http:\S+/.exec(line)?.[0] ?? "" };
    }

    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      test(`serves until ${signal}, and exits 0`, async () => {
        const { child, origin } = await start({ RESPONSE_MODE: "complete" });
        try {
          assert.equal(await (await fetch(origin)).text(), "complete /assets/c.js");
          const info = (await (await fetch(`${origin}bench/info`)).json()) as Record<string, unknown>;
          assert.deepEqual(
            { ...info, artifacts: (info.artifacts as { readonly path: string }[]).map((file) => file.path) },
            {
              adapter: "fixture",
              responseMode: "complete",
              runtime,
              runtimeVersion: versionOf(runtime),
              pid: child.pid,
              frameworkVersion: "1.0.0",
              artifacts: ["dist/client/.vite/manifest.json", "dist/client/assets/c.js"],
            },
          );
          child.kill(signal);
          assert.deepEqual(await once(child, "exit"), [0, null]);
        } finally {
          child.kill("SIGKILL");
        }
      });
    }

    test("lets a running response end after SIGTERM, though other clients stay", async () => {
      const { child, origin } = await start({});
      const { port, hostname: host } = new URL(origin);
      const idle = connect(Number(port), host);
      try {
        idle.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
        await once(idle, "data");
        idle.resume();
        const running = await fetch(`${origin}?r=slow`);
        const exited = once(child, "exit");
        child.kill("SIGTERM");
        assert.equal(await running.text(), "first last");
        assert.deepEqual(await exited, [0, null]);
      } finally {
        idle.destroy();
        child.kill("SIGKILL");
      }
    });

    test("answers 500 where its handler throws, says why, and goes on", async () => {
      const { child, origin } = await start({});
      try {
        assert(child.stderr !== null);
        const said = once(child.stderr, "data");
        const failed = await fetch(`${origin}?r=fail`);
        assert.equal(failed.status, 500);
        assert.equal(await failed.text(), "Internal server error\n");
        assert.match(String((await said)[0]), /the handler failed/);
        assert.equal((await fetch(origin)).status, 200);
        assert.equal((await fetch(`${origin}nowhere`)).status, 404);
        const head = await fetch(`${origin}assets/c.js`, { method: "HEAD" });
        assert.equal(head.headers.get("content-type"), "text/javascript; charset=utf-8");
      } finally {
        child.kill("SIGKILL");
      }
    });

    test("says that its port is in use, and exits 1", async () => {
      const holder: Server = createServer().listen(0, "127.0.0.1");
      try {
        await once(holder, "listening");
        const address = holder.address();
        assert(address !== null && typeof address === "object");
        const { code, stderr } = await failing(["--port", String(address.port)]);
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(`port ${address.port} is in use`));
      } finally {
        holder.close();
      }
    });

    test("says that it isn't built, and exits 1", async () => {
      const { code, stderr } = await failing([], { FIXTURE_FOLDER: path.join(folder, "none") });
      assert.equal(code, 1);
      assert.match(stderr, /ENOENT.+Build the adapter first\./);
    });

    test("refuses an unknown response mode, and exits 2", async () => {
      const { code, stderr } = await failing([], { RESPONSE_MODE: "streaming" });
      assert.equal(code, 2);
      assert.match(stderr, /RESPONSE_MODE is "streaming"/);
    });
  });

/** What the runtime says of itself. */
function versionOf(runtime: PinnedRuntime): string {
  const text = execFileSync(runtimeBinary(runtime), ["--version"], { encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(text)?.[0] ?? "";
}
