import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { type BuildEvent, buildAdapters, readBuilt } from "./build.ts";
import { type AdapterManifest, discoverAdapters } from "./manifest.ts";

/** Copies its one source file into `dist`, and counts its runs in `runs`. */
const BUILD_SCRIPT = `
import { appendFileSync, cpSync, mkdirSync } from "node:fs";
appendFileSync("../../runs", "x");
mkdirSync("dist/sub", { recursive: true });
cpSync("source.txt", "dist/sub/made.txt");
console.log("made it");
`;

let root = "";
let events: BuildEvent[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "build-"));
  events = [];
  await write("pnpm-lock.yaml", lockfile("1.2.3"));
  await write("todo/contract/data.ts", "export {};");
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

function lockfile(version: string): string {
  return `lockfileVersion: '9.0'
importers:
  servers/thing:
    dependencies:
      thing:
        specifier: ${version}
        version: ${version}(peer@1.0.0)
`;
}

async function makeAdapter(fields: object = {}): Promise<AdapterManifest> {
  const manifest = {
    id: "thing",
    displayName: "Thing",
    homepage: "https://example.org/",
    versionFrom: "npm:thing",
    runtime: "node",
    build: [["node", "build.mjs"]],
    start: ["node", "dist/sub/made.txt"],
    artifacts: ["dist"],
    ...fields,
  };
  await write("servers/thing/adapter.json", JSON.stringify(manifest));
  await write("servers/thing/build.mjs", BUILD_SCRIPT);
  await write("servers/thing/source.txt", "source");
  await write("servers/thing/node_modules/thing/package.json", JSON.stringify({ version: "1.2.3" }));
  const [adapter] = await discoverAdapters(path.join(root, "servers"));
  return adapter as AdapterManifest;
}

async function build(manifest: AdapterManifest, force = false) {
  const [built] = await buildAdapters([manifest], {
    root,
    force,
    onEvent: (event) => events.push(event),
    signal: new AbortController().signal,
  });
  assert.ok(built);
  return built;
}

async function runs(): Promise<number> {
  return (await readFile(path.join(root, "runs"), "utf8")).length;
}

test("a build leaves its artifacts by hash, and the framework's locked version", async () => {
  const manifest = await makeAdapter();
  const built = await build(manifest);
  assert.equal(built.frameworkVersion, "1.2.3");
  assert.deepEqual(built.artifacts, [
    {
      path: "dist/sub/made.txt",
      bytes: 6,
      sha256: "41cf6794ba4200b839c53531555f0f3998df4cbb01a4d5cb0b94e3ca5e23947d",
    },
  ]);
  assert.deepEqual(
    events.map((event) => event.kind),
    ["started", "command", "output", "built"],
  );
  assert.deepEqual(await readBuilt(manifest, root), built);
});

test("what is built from the same inputs isn't built again, unless forced", async () => {
  const manifest = await makeAdapter();
  await build(manifest);
  await build(manifest);
  assert.equal(await runs(), 1);
  assert.equal(events.at(-1)?.kind, "current");
  await build(manifest, true);
  assert.equal(await runs(), 2);
});

test("two builds of one adapter at once build it once", async () => {
  const manifest = await makeAdapter();
  await Promise.all([build(manifest), build(manifest)]);
  assert.equal(await runs(), 1);
});

test("any changed input makes it stale: own file, lockfile, shared data, declared input", async () => {
  await write("servers/_shared/a.txt", "a");
  const manifest = await makeAdapter({ inputs: ["servers/_shared"] });
  const changes = {
    "servers/thing/source.txt": "other",
    "servers/thing/new.txt": "new",
    "servers/_shared/a.txt": "b",
    "todo/contract/data.ts": "export const a = 1;",
    "pnpm-lock.yaml": `${lockfile("1.2.3")}# changed\n`,
  };
  for (const [file, text] of Object.entries(changes)) {
    await build(manifest);
    await write(file, text);
    await assert.rejects(readBuilt(manifest, root), {
      code: "not-built",
      message: /source has changed/,
      hint: /npm run build -- --only thing/,
    });
  }
  await build(manifest);
  assert.equal(await runs(), 1 + Object.keys(changes).length);
});

test("in a git checkout, ignored files are no inputs", async () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init");
  await write(".gitignore", "dist/\nnode_modules/\nscratch/\n");
  const manifest = await makeAdapter();
  git("add", "servers");
  await build(manifest);
  await write("servers/thing/scratch/x.txt", "x");
  await readBuilt(manifest, root);
  await write("servers/thing/kept/x.txt", "x");
  await assert.rejects(readBuilt(manifest, root), { code: "not-built" });
});

test("an artifact that was changed, added or removed since isn't what was built, and is built again", async () => {
  const manifest = await makeAdapter();
  const damages = [
    () => write("servers/thing/dist/sub/made.txt", "damaged"),
    () => write("servers/thing/dist/sub/more.txt", "more"),
    () => rm(path.join(root, "servers/thing/dist"), { recursive: true }),
  ];
  for (const damage of damages) {
    await rm(path.join(root, "servers/thing/dist"), { recursive: true, force: true });
    await build(manifest);
    await damage();
    await assert.rejects(readBuilt(manifest, root), { code: "not-built" });
  }
  await build(manifest);
  assert.equal(await runs(), damages.length + 1);
});

test("nothing built, or a record that can't be read, names the build command", async () => {
  const manifest = await makeAdapter();
  await assert.rejects(readBuilt(manifest, root), { code: "not-built", hint: /npm run build/ });
  await write(".cache/builds/thing.json", "{ cut sho");
  await assert.rejects(readBuilt(manifest, root), { code: "not-built" });
});

test("a command that fails shows its last lines", async () => {
  const manifest = await makeAdapter();
  await write("servers/thing/build.mjs", "console.log('one'); console.error('two'); process.exit(3);");
  await assert.rejects(build(manifest), { code: "build-failed", message: /exit code 3; .*\none\ntwo$/s });
  assert.equal(events.at(-1)?.kind, "failed");
  await assert.rejects(readBuilt(manifest, root), { code: "not-built" });
});

test("a missing program, a missing and an empty artifact are errors", async () => {
  await assert.rejects(build(await makeAdapter({ build: [["no-such-program"]] })), { code: "missing-tool" });
  await assert.rejects(build(await makeAdapter({ artifacts: ["nothing"] })), {
    code: "build-failed",
    message: /nothing is missing/,
  });
  await write("servers/thing/empty.txt", "");
  await assert.rejects(build(await makeAdapter({ artifacts: ["empty.txt"] })), {
    code: "build-failed",
    message: /empty\.txt is empty/,
  });
});

test("an input that doesn't exist is a fault of the manifest", async () => {
  await assert.rejects(build(await makeAdapter({ inputs: ["servers/_nothing"] })), {
    code: "bad-manifest",
    message: /_nothing/,
  });
});

test("an aborted build ends its command and throws the reason", async () => {
  const manifest = await makeAdapter();
  await write("servers/thing/build.mjs", "console.log(process.pid); setInterval(() => {}, 1e6);");
  const stop = new AbortController();
  const reason = new Error("stop");
  let pid = 0;
  const building = buildAdapters([manifest], {
    root,
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind !== "output") return;
      pid = Number(event.line);
      stop.abort(reason);
    },
  });
  await assert.rejects(building, (error) => error === reason);
  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
});
