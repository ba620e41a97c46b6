import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { cratesIn, findCargoLock, frameworkVersion } from "./framework-version.ts";
import { type AdapterManifest, parseManifest } from "./manifest.ts";

const CARGO_LOCK = `version = 4

[[package]]
name = "thing"
version = "3.0.4"
source = "registry"

[[package]]
name = "twice"
version = "1.0.0"

[[package]]
name = "twice"
version = "2.0.0"
`;

let root = "";

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "version-"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

function adapter(versionFrom: string, inputs: string[] = []): AdapterManifest {
  const manifest = {
    id: "own",
    displayName: "Own",
    homepage: "https://example.org/",
    versionFrom,
    runtime: "node",
    build: [],
    start: ["node", "x"],
    artifacts: ["dist"],
    inputs,
  };
  return parseManifest(JSON.stringify(manifest), path.join(root, "servers/own"));
}

async function lock(version: string): Promise<void> {
  await write(
    "pnpm-lock.yaml",
    `importers:\n  servers/own:\n    devDependencies:\n      '@scope/thing':\n        specifier: x\n        version: ${version}\n`,
  );
}

const install = (version: string) =>
  write("servers/own/node_modules/@scope/thing/package.json", JSON.stringify({ version }));

test("a package's version is the adapter's own in the lockfile, without its peers", async () => {
  await lock("1.2.3(react@19.0.0(a@1.0.0))");
  await install("1.2.3");
  assert.equal(await frameworkVersion(adapter("npm:@scope/thing"), root), "1.2.3");
});

test("a linked checkout has its own version", async () => {
  await lock("link:../../../checkout");
  await install("0.0.25");
  assert.equal(await frameworkVersion(adapter("npm:@scope/thing"), root), "0.0.25");
});

test("another version installed, none installed, and a package not listed are told apart", async () => {
  await lock("1.2.3");
  await assert.rejects(frameworkVersion(adapter("npm:@scope/thing"), root), {
    code: "missing-tool",
    message: /none is installed/,
  });
  await install("1.2.4");
  await assert.rejects(frameworkVersion(adapter("npm:@scope/thing"), root), {
    code: "missing-tool",
    message: /1\.2\.4 is installed/,
  });
  await assert.rejects(frameworkVersion(adapter("npm:other"), root), {
    code: "bad-manifest",
    message: /"other"/,
  });
});

test("a crate's version is the one that Cargo.lock holds; two are ambiguous", async () => {
  assert.deepEqual(cratesIn(CARGO_LOCK, "thing"), ["3.0.4"]);
  assert.deepEqual(cratesIn(CARGO_LOCK, "twice"), ["1.0.0", "2.0.0"]);
  await write("servers/_shared/Cargo.lock", CARGO_LOCK);
  await write("servers/_shared/crates/a/Cargo.toml", "");
  const inputs = ["servers/_shared/crates/a"];
  assert.equal(await frameworkVersion(adapter("cargo:thing", inputs), root), "3.0.4");
  await assert.rejects(frameworkVersion(adapter("cargo:twice", inputs), root), {
    code: "bad-manifest",
    message: /several versions/,
  });
  await assert.rejects(frameworkVersion(adapter("cargo:none", inputs), root), {
    code: "bad-manifest",
    message: /no version/,
  });
  await assert.rejects(frameworkVersion(adapter("cargo:thing"), root), {
    code: "bad-manifest",
    message: /no Cargo\.lock/,
  });
});

test("the nearest Cargo.lock wins: own folder, above it, then the inputs in their order", async () => {
  await write("servers/_a/Cargo.lock", CARGO_LOCK);
  await write("servers/_b/Cargo.lock", CARGO_LOCK);
  await write("servers/own/x", "");
  const manifest = adapter("cargo:thing", ["servers/_b", "servers/_a"]);
  assert.equal(await findCargoLock(manifest, root), path.join(root, "servers/_b/Cargo.lock"));
  await write("Cargo.lock", CARGO_LOCK);
  assert.equal(await findCargoLock(manifest, root), path.join(root, "Cargo.lock"));
  await write("servers/own/Cargo.lock", CARGO_LOCK);
  assert.equal(await findCargoLock(manifest, root), path.join(root, "servers/own/Cargo.lock"));
});
