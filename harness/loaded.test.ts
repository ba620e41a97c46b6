import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import type { RuntimeId } from "../report/schema.ts";
import type { BenchInfo } from "../todo/contract/bench-info.ts";
import {
  type DiskFile,
  judgeLoaded,
  type LoadedFacts,
  type ProcessFacts,
  parseMaps,
  readLoaded,
} from "./loaded.ts";
import { type AdapterManifest, parseManifest } from "./manifest.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const RUNTIME = { path: "/pinned/node", identity: "1:10" };

function manifest(runtime: RuntimeId, folder = "/servers/sample"): AdapterManifest {
  const json = {
    id: "sample",
    displayName: "Sample",
    homepage: "https://example.org",
    versionFrom: "npm:sample",
    runtime,
    build: [],
    start: ["node", "server.ts"],
    artifacts: ["dist/", "addon.node"],
  };
  return parseManifest(JSON.stringify(json), folder);
}

const INFO: BenchInfo = {
  adapter: "sample",
  responseMode: "complete",
  runtime: "node",
  runtimeVersion: "26.0.0",
  pid: 7,
  frameworkVersion: "1.0.0",
  artifacts: [{ path: "dist/server", sha256: A }],
};

function process7(spoiled: Partial<ProcessFacts> = {}): ProcessFacts {
  const exe = { path: "/pinned/node", identity: "1:10", sha256: A };
  return { pid: 7, exe, files: [], ...spoiled };
}

function facts(spoiled: Partial<LoadedFacts> = {}): LoadedFacts {
  return {
    processes: [process7()],
    runtimeBinary: RUNTIME,
    onDisk: new Map([["dist/server", onDisk(A)]]),
    ...spoiled,
  };
}

function onDisk(sha256: string, developmentSign: string | null = null): DiskFile {
  return { sha256, developmentSign };
}

function file(sha256: string | null, name = "/servers/sample/addon.node"): ProcessFacts["files"][number] {
  return { path: name, identity: "1:20", sha256 };
}

const OTHER_EXE = { path: "/usr/bin/node", identity: "1:11", sha256: B };

const CASES: readonly (readonly [
  what: string,
  runtime: RuntimeId,
  rules: readonly string[],
  facts: LoadedFacts,
  info?: BenchInfo,
])[] = [
  ["nothing wrong with the pinned runtime", "node", [], facts()],
  ["nothing wrong with a listed native binary", "native", [], facts({ runtimeBinary: null })],
  ["nothing wrong with a listed addon", "node", [], facts({ processes: [process7({ files: [file(A)] })] })],
  ["a runtime of another name", "node", ["loaded-exe"], facts({ processes: [process7({ exe: OTHER_EXE })] })],
  ["a runtime that isn't installed", "node", ["loaded-exe"], facts({ runtimeBinary: null })],
  [
    "a worker process of another runtime",
    "bun",
    ["loaded-exe"],
    facts({ processes: [process7(), { ...process7({ exe: OTHER_EXE }), pid: 8 }] }),
  ],
  [
    "a native binary that isn't listed",
    "native",
    ["loaded-exe"],
    facts({ runtimeBinary: null, processes: [process7({ exe: OTHER_EXE })] }),
  ],
  ["a process outside the tree", "node", ["info-pid"], facts(), { ...INFO, pid: 8 }],
  ["no process at all", "node", ["info-pid"], facts({ processes: [] })],
  [
    "an addon that isn't listed",
    "node",
    ["loaded-unlisted"],
    facts({ processes: [process7({ files: [file(B)] })] }),
  ],
  [
    "an addon that is gone from the disk",
    "node",
    ["loaded-unlisted"],
    facts({ processes: [process7({ files: [file(null)] })] }),
  ],
  [
    "an artifact changed since the start",
    "node",
    ["artifact-hash"],
    facts({ onDisk: new Map([["dist/server", onDisk(B)]]) }),
  ],
  [
    "an artifact that isn't there",
    "node",
    ["artifact-hash"],
    facts({ onDisk: new Map([["dist/server", null]]) }),
  ],
  [
    "an artifact that the build didn't make",
    "node",
    ["artifact-built"],
    facts({
      onDisk: new Map([
        ["dist/server", onDisk(A)],
        ["dist/more", onDisk(A)],
      ]),
    }),
    { ...INFO, artifacts: [...INFO.artifacts, { path: "dist/more", sha256: A }] },
  ],
  [
    "an artifact that was changed after the build, and is listed as it is",
    "node",
    ["artifact-built"],
    facts({ onDisk: new Map([["dist/server", onDisk(B)]]) }),
    { ...INFO, artifacts: [{ path: "dist/server", sha256: B }] },
  ],
  [
    "a list that leaves out what the build made",
    "node",
    ["artifact-listed"],
    facts({ onDisk: new Map() }),
    { ...INFO, artifacts: [] },
  ],
  [
    "a development build",
    "node",
    ["development-build"],
    facts({ onDisk: new Map([["dist/server", onDisk(A, "import.meta.hot")]]) }),
  ],
];

describe("judgeLoaded", () => {
  for (const [what, runtime, rules, seen, info = INFO] of CASES) {
    it(`sees ${what}`, () => {
      assert.deepEqual(
        judgeLoaded({ manifest: manifest(runtime), artifacts: INFO.artifacts }, info, seen).map(
          ({ rule }) => rule,
        ),
        rules,
      );
    });
  }
});

describe("readLoaded", () => {
  it("sees this very process: its binary, its open files below the folder, the files on disk", async () => {
    const parent = await mkdtemp(path.join(tmpdir(), "loaded-"));
    const folder = path.join(parent, "sample");
    await mkdir(path.join(folder, "dist"), { recursive: true });
    await writeFile(path.join(folder, "dist/server"), "server");
    await using held = await open(path.join(folder, "dist/server"));
    try {
      const sha256 = createHash("sha256").update("server").digest("hex");
      const info = {
        ...INFO,
        pid: process.pid,
        artifacts: [
          { path: "dist/server", sha256 },
          { path: "dist", sha256: A },
        ],
      };
      const seen = readLoaded(manifest("node", folder), [process.pid], info);
      assert.equal(seen.processes.length, 1);
      assert.equal(seen.processes[0]?.exe.path, process.execPath);
      assert.deepEqual(
        seen.processes[0]?.files.map(({ sha256: hash }) => hash),
        [sha256],
      );
      assert.deepEqual(
        [...seen.onDisk],
        [
          ["dist/server", onDisk(sha256)],
          ["dist", null],
        ],
      );
      assert.ok(held.fd > 0);
    } finally {
      await rm(parent, { recursive: true });
    }
  });

  it("reads no device and nothing outside the folder, whatever a server names as its artifact", () => {
    const up = "../".repeat(20);
    const names = [`${up}dev/zero`, `${up}etc/hostname`, "a\0b", "a".repeat(5_000), "/dev/zero", "none/such"];
    const info = { ...INFO, artifacts: names.map((name) => ({ path: name, sha256: A })) };
    const seen = readLoaded({ ...manifest("node"), folder: tmpdir() }, [], info);
    assert.deepEqual(
      [...seen.onDisk],
      names.map((name) => [name, null]),
    );
  });

  it("leaves out a process that is gone", () => {
    // Beyond any process id that Linux gives out.
    const seen = readLoaded({ ...manifest("node"), folder: tmpdir() }, [2 ** 30], INFO);
    assert.deepEqual(seen.processes, []);
  });
});

describe("parseMaps", () => {
  it("has each mapped file once, spaces and deleted ones included, and no anonymous memory", () => {
    const text = [
      "00400000-0064f000 r--p 00000000 fe:00 279 /opt/a b/node",
      "0064f000-0074f000 r-xp 00000000 fe:00 279 /opt/a b/node",
      "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 ",
      "7f0000001000-7f0000002000 r-xp 00000000 fe:00 280 /x/addon.node (deleted)",
      "7ffd00000000-7ffd00001000 rw-p 00000000 00:00 0 [stack]",
      "",
    ].join("\n");
    assert.deepEqual(parseMaps(text), ["/opt/a b/node", "/x/addon.node (deleted)"]);
  });
});
