import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { type AdapterManifest, parseManifest } from "./manifest.ts";
import { PROJECT_ROOT } from "./project.ts";
import {
  commandPath,
  findProgram,
  needsRust,
  PINNED_RUNTIMES,
  resolveStart,
  runtimeBinary,
} from "./tools.ts";

function adapter(folder: string, fields: object): AdapterManifest {
  const id = path.basename(folder);
  const defaults = {
    id,
    displayName: id,
    homepage: "https://example.org/",
    versionFrom: "npm:thing",
    runtime: "node",
    build: [],
    start: ["node", "server.js"],
    artifacts: ["dist"],
  };
  return parseManifest(JSON.stringify({ ...defaults, ...fields }), folder);
}

test("each pinned runtime is a real binary of the version in package.json", async () => {
  const { default: pkg } = await import("../package.json", { with: { type: "json" } });
  for (const runtime of PINNED_RUNTIMES) {
    const file = runtimeBinary(runtime);
    const head = Buffer.alloc(4);
    const descriptor = openSync(file, "r");
    try {
      readSync(descriptor, head);
    } finally {
      closeSync(descriptor);
    }
    assert.equal(head.toString("latin1"), "\x7fELF", file);
    const version = execFileSync(file, ["--version"], { encoding: "utf8" });
    assert.ok(version.includes(pkg.devDependencies[runtime]), `${runtime}: ${version}`);
  }
});

test("packages are checked against the Node that runs them", async () => {
  const { default: pkg } = await import("../package.json", { with: { type: "json" } });
  const workspace = await readFile(path.join(PROJECT_ROOT, "pnpm-workspace.yaml"), "utf8");
  assert.match(workspace, new RegExp(`^nodeVersion: ${pkg.devDependencies.node}$`, "m"));
});

test("the start command gets its host and port, in arguments and environment", () => {
  const manifest = adapter("/servers/thing", {
    start: ["node", "server.js", "--listen={host}:{port}", "{port}"],
    env: { ADDRESS: "http://{host}:{port}", PLAIN: "x" },
  });
  const command = resolveStart(manifest, { host: "127.0.0.1", port: 41234 });
  assert.equal(command.file, path.join(PROJECT_ROOT, "node_modules/node/bin/node"));
  assert.deepEqual(command.args, ["server.js", "--listen=127.0.0.1:41234", "41234"]);
  assert.deepEqual(command.env, { ADDRESS: "http://127.0.0.1:41234", PLAIN: "x" });
});

test("an adapter's own binary must be there", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tools-"));
  try {
    const manifest = adapter(folder.replace(/[^/]+$/, "thing"), { runtime: "native", start: ["bin/server"] });
    assert.throws(() => resolveStart(manifest, { host: "127.0.0.1", port: 1 }), {
      code: "not-built",
      hint: /npm run build -- --only thing/,
    });
    const file = path.join(folder, "server");
    await writeFile(file, "");
    const relative = path.relative(manifest.folder, file);
    const native = adapter(manifest.folder, { runtime: "native", start: [relative] });
    assert.throws(() => resolveStart(native, { host: "127.0.0.1", port: 1 }), { code: "not-built" });
    await chmod(file, 0o755);
    assert.equal(resolveStart(native, { host: "127.0.0.1", port: 1 }).file, file);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an adapter's commands find its own packages first", () => {
  const [own, root] = commandPath("/servers/thing").split(":");
  assert.equal(own, "/servers/thing/node_modules/.bin");
  assert.equal(root, path.join(PROJECT_ROOT, "node_modules/.bin"));
});

test("programs are found on the PATH", () => {
  assert.equal(path.basename(findProgram("sh") ?? ""), "sh");
  assert.equal(findProgram("no-such-program-anywhere"), null);
});

test("Rust is needed by those that build with cargo, or whose framework is a crate", () => {
  assert.equal(needsRust(adapter("/servers/thing", { versionFrom: "cargo:thing" })), true);
  assert.equal(needsRust(adapter("/servers/thing", { build: [["cargo", "build"]] })), true);
  assert.equal(needsRust(adapter("/servers/thing", { build: [["vite", "build"]] })), false);
});
