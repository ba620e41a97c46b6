import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { loadAssets, readPageAssets } from "./assets.ts";

describe("assets", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kit-assets-"));
    await mkdir(path.join(folder, "assets", "deep"), { recursive: true });
    await writeFile(path.join(folder, "secret.txt"), "secret");
    await writeFile(path.join(folder, "assets", "client-1.js"), "let é");
    await writeFile(path.join(folder, "assets", "deep", "a b.bin"), "?");
  });
  after(() => rm(folder, { recursive: true }));

  test("are found by their whole path, with type, length and immutable caching", () => {
    const assets = loadAssets(path.join(folder, "assets"), "/assets/");
    assert.deepEqual([...assets.keys()].sort(), ["/assets/client-1.js", "/assets/deep/a%20b.bin"]);
    assert.deepEqual(assets.get("/assets/client-1.js")?.headers, {
      "content-type": "text/javascript; charset=utf-8",
      "content-length": 6,
      "cache-control": "public, max-age=31536000, immutable",
    });
    assert.equal(assets.get("/assets/deep/a%20b.bin")?.headers["content-type"], "application/octet-stream");
  });

  test("of a page come from the client's manifest", async () => {
    const file = path.join(folder, "manifest.json");
    await writeFile(
      file,
      JSON.stringify({
        "../_kit/assets/favicon.svg": { file: "assets/f.svg", src: "../_kit/assets/favicon.svg" },
        "client.tsx": { file: "assets/c.js", src: "client.tsx", isEntry: true, css: ["assets/c.css"] },
      }),
    );
    assert.deepEqual(readPageAssets(file), {
      script: "/assets/c.js",
      stylesheet: "/assets/c.css",
      favicon: "/assets/f.svg",
    });
    await writeFile(file, JSON.stringify({ "client.tsx": { file: "assets/c.js", isEntry: true } }));
    assert.throws(() => readPageAssets(file), /no entry with a stylesheet and a favicon/);
  });
});
