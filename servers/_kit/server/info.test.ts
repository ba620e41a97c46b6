import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { hashArtifacts } from "./info.ts";

const SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

test("files and folders are hashed, sorted by their path in the adapter's folder", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "kit-info-"));
  try {
    await mkdir(path.join(folder, "dist", "client"), { recursive: true });
    await writeFile(path.join(folder, "dist", "server.js"), "abc");
    await writeFile(path.join(folder, "dist", "client", "z.js"), "abc");
    await writeFile(path.join(folder, "dist", "not-loaded.js"), "other");
    assert.deepEqual(hashArtifacts(folder, ["dist/server.js", "dist/client"]), [
      { path: "dist/client/z.js", sha256: SHA256_OF_ABC },
      { path: "dist/server.js", sha256: SHA256_OF_ABC },
    ]);
    assert.throws(() => hashArtifacts(folder, ["dist/gone.js"]), { code: "ENOENT" });
  } finally {
    await rm(folder, { recursive: true });
  }
});
