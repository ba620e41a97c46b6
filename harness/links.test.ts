import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { buildAdapters, readBuilt } from "./build.ts";
import { BenchError, type ErrorCode } from "./errors.ts";
import { frameworkVersion } from "./framework-version.ts";
import { assertIntact, type LinkRecord, linksOf } from "./links.ts";
import { type AdapterManifest, discoverAdapters } from "./manifest.ts";
import { startProvenance } from "./provenance.ts";

const BUILD = `import { mkdirSync, writeFileSync } from "node:fs"; mkdirSync("dist", { recursive: true }); writeFileSync("dist/made", "made");`;

let root = "";
let checkout = "";

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), "links-")));
  checkout = path.join(root, "a checkout");
  await write("pnpm-lock.yaml", "lockfileVersion: '9.0'\nimporters: {}\n");
  await write("todo/contract/data.ts", "export {};");
  await write("servers/_family/Cargo.lock", cargoLock("1.0.0"));
  await write("a checkout/one.js", "one");
  git("init", "--quiet");
  commit("first");
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

function git(...args: string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...identity, ...args], { cwd: checkout, encoding: "utf8" }).trim();
}

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", message);
}

function cargoLock(version: string): string {
  return `[[package]]\nname = "thing"\nversion = "${version}"\n`;
}

async function makeAdapter(id: string, inputs: string[]): Promise<AdapterManifest> {
  const manifest = {
    id,
    displayName: id,
    homepage: "https://example.org/",
    versionFrom: "cargo:thing",
    runtime: "native",
    build: [["node", "build.mjs"]],
    start: ["dist/made"],
    artifacts: ["dist"],
    inputs,
  };
  await write(`servers/${id}/adapter.json`, JSON.stringify(manifest));
  await write(`servers/${id}/build.mjs`, BUILD);
  const found = (await discoverAdapters(path.join(root, "servers"))).find((one) => one.id === id);
  assert.ok(found);
  return found;
}

function linkTo(fields: Partial<LinkRecord> = {}): LinkRecord {
  const sha256 = createHash("sha256").update("one").digest("hex");
  return {
    name: "family",
    revision: git("rev-parse", "HEAD"),
    dirty: false,
    reason: null,
    checkout,
    linkedAt: "2026-01-01T00:00:00.000Z",
    inputs: ["servers/_family"],
    cargoLock: ".cache/links/family/Cargo.lock",
    relink: "relink it",
    packages: [{ name: "one", version: "2.0.0", files: [{ path: "one.js", sha256, bytes: 3 }] }],
    ...fields,
  };
}

async function link(record: LinkRecord): Promise<void> {
  await write(".cache/links/family/link.json", JSON.stringify(record));
  await write(".cache/links/family/Cargo.lock", cargoLock("2.0.0"));
}

async function build(manifest: AdapterManifest) {
  const signal = new AbortController().signal;
  const [built] = await buildAdapters([manifest], { root, onEvent: () => undefined, signal });
  assert.ok(built);
  return built;
}

function isCode(code: ErrorCode, message: RegExp) {
  return (error: unknown) =>
    error instanceof BenchError && error.code === code && message.test(`${error.message}\n${error.hint}`);
}

test("a link is that of the adapters whose inputs it names", async () => {
  const [own, other] = [await makeAdapter("own", ["servers/_family"]), await makeAdapter("other", [])];
  assert.deepEqual(await linksOf(own, root), []);
  const record = linkTo();
  await link(record);
  await write(".cache/links/.being-made/link.json", "{");
  assert.deepEqual(await linksOf(own, root), [record]);
  assert.deepEqual(await linksOf(other, root), []);
});

test("linking and unlinking make a build stale; the version is that of the link's lock file", async () => {
  const manifest = await makeAdapter("own", ["servers/_family"]);
  assert.equal((await build(manifest)).frameworkVersion, "1.0.0");
  await link(linkTo());
  await assert.rejects(readBuilt(manifest, root), isCode("not-built", /what it is linked to/));
  const built = await build(manifest);
  assert.equal(built.frameworkVersion, "2.0.0");
  assert.deepEqual(await readBuilt(manifest, root), built);
  await rm(path.join(root, ".cache/links"), { recursive: true });
  await assert.rejects(readBuilt(manifest, root), isCode("not-built", /what it is linked to/));
  assert.equal(await frameworkVersion(manifest, root), "1.0.0");
});

test("reports name what is linked, not where it is kept", async () => {
  const manifest = await makeAdapter("own", ["servers/_family"]);
  const unlinked = await startProvenance([await build(manifest)], ["x"], new Date());
  assert.deepEqual([unlinked.dependencyMode, unlinked.links], ["registry", []]);
  const record = linkTo({ revision: null, dirty: "unknown", reason: "no git" });
  const built = { ...(await build(manifest)), links: [record] };
  const linked = await startProvenance([built, built], ["x"], new Date());
  const { name, revision, dirty, packages } = record;
  assert.equal(linked.dependencyMode, "local-source");
  assert.deepEqual(linked.links, [{ name, revision, dirty, packages }]);
  assert.equal(linked.nullReasons["links.family.revision"], "no git");
});

test("a checkout that isn't what it was is refused before a run and before a build", async () => {
  const manifest = await makeAdapter("own", ["servers/_family"]);
  await link(linkTo());
  await build(manifest);
  await appendFile(path.join(checkout, "one.js"), "changed");
  const isChanged = isCode("link-changed", /one\.js has changed[\s\S]*relink it/);
  await assert.rejects(readBuilt(manifest, root), isChanged);
  await assert.rejects(build(manifest), isChanged);
});

test("each change of a checkout is told: file, revision, dirty flag, folder", async () => {
  const record = linkTo();
  await assertIntact(record);
  await write("a checkout/untracked", "new");
  await assert.rejects(assertIntact(record), isCode("link-changed", /dirty flag was false, and is true/));
  commit("second");
  await assert.rejects(assertIntact(record), isCode("link-changed", /at revision/));
  await assertIntact(linkTo());
  await rm(path.join(checkout, "one.js"));
  await assert.rejects(assertIntact(linkTo()), isCode("link-changed", /one\.js is gone/));
  await rm(checkout, { recursive: true });
  await assert.rejects(assertIntact(record), isCode("link-changed", /it is gone/));
});

test("a folder that only lies in another checkout has no revision", async () => {
  await write("a checkout/inner/one.js", "one");
  commit("inner");
  const inner = { checkout: path.join(checkout, "inner") };
  await assertIntact(linkTo({ ...inner, revision: null, dirty: "unknown", reason: "none" }));
  await assert.rejects(assertIntact(linkTo(inner)), isCode("link-changed", /is at null/));
});

test("a record that can't be understood is named", async () => {
  const manifest = await makeAdapter("own", ["servers/_family"]);
  for (const text of ["{", "{}"]) {
    await write(".cache/links/family/link.json", text);
    await assert.rejects(linksOf(manifest, root), isCode("bad-link", /link\.json isn't what a link leaves/));
  }
});
