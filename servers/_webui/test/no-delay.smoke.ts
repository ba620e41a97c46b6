/** Small pieces of a streamed page must not wait for an acknowledgement: TCP_NODELAY is on, on the accepted socket. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, test } from "node:test";
import { runtimeBinary } from "../../../harness/tools.ts";
import { builtAdapters, freePort, startCommand } from "../../_kit/test/running.ts";

const INSPECTOR = path.join(import.meta.dirname, "accepted-socket.ts");

const manifests = (await builtAdapters(process.env.ONLY?.split(","))).filter(({ inputs }) =>
  inputs.includes("servers/_webui"),
);

describe("the accepted socket has TCP_NODELAY", () => {
  test("there is an adapter to start", () => {
    assert.notEqual(manifests.length, 0, "Nothing is built: run `pnpm build` first.");
  });

  for (const manifest of manifests) {
    test(manifest.id, async () => {
      const port = await freePort();
      const { program, args, env } = startCommand(manifest, port, "progressive");
      const said = execFileSync(runtimeBinary("bun"), [INSPECTOR, String(port), program, ...args], {
        cwd: manifest.folder,
        env,
        encoding: "utf8",
      });
      assert.equal(said, "true\n");
    });
  }
});
