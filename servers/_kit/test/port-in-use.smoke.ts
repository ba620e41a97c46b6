/**
 * Every built adapter, told to listen where somebody else does: it says so, and ends with a status other than 0. That
 * is a line of the contract which no other check comes by, because the harness itself never lets it happen.
 *
 * `ONLY=a,b` asks some adapters.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { execa } from "execa";
import { discoverAdapters } from "../../../harness/manifest.ts";
import { resolveStart } from "../../../harness/tools.ts";

const SERVERS = path.resolve(import.meta.dirname, "../..");
const LIMIT_MS = 20_000;
const ONLY = process.env.ONLY?.split(",");

const manifests = (await discoverAdapters(SERVERS)).filter(
  ({ id, folder, artifacts }) =>
    (ONLY === undefined || ONLY.includes(id)) &&
    artifacts.every((artifact) => existsSync(path.join(folder, artifact))),
);

test("there is an adapter to start", () => {
  assert.notEqual(manifests.length, 0, "Nothing is built: run `pnpm build` first.");
});

for (const manifest of manifests) {
  test(`${manifest.id} says that its port is in use`, async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const address = holder.address();
    assert(address !== null && typeof address === "object");
    const at = { host: "127.0.0.1", port: address.port };
    try {
      const { file, args, env } = resolveStart(manifest, at);
      const ended = await execa(file, args, {
        cwd: manifest.folder,
        env: { ...env, HOST: at.host, PORT: String(at.port), NODE_ENV: "production" },
        stdin: "ignore",
        all: true,
        reject: false,
        timeout: LIMIT_MS,
        forceKillAfterDelay: 0,
      });
      assert.equal(ended.timedOut, false, "it went on");
      assert.notEqual(ended.exitCode, 0);
      assert.match(ended.all, /in use|EADDRINUSE/i);
    } finally {
      holder.close();
    }
  });
}
