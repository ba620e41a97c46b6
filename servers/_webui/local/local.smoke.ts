/**
 * `webui:local` against checkouts made here: one whose crates write a marker into every page, and ones that can't be
 * linked. It changes what is built while it runs, and puts it back. Needs Rust, and the family's adapters built.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { familyAdapters } from "./adapters.ts";
import { filesBelow, type HashedFile, hashFiles } from "./files.ts";
import { ADDON, COMMAND_LINE, LINK, LINKS, ROOT } from "./paths.ts";
import { git, makeEmptyCheckout, makeMarkedCheckout, write } from "./test/small-checkout.ts";

const MARKER = "<!-- from the checkout -->";
const RELEASE_BUILD_LIMIT_MS = 30 * 60_000;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  const { stdout, stderr } = child;
  assert(stdout !== null && stderr !== null);
  const [[code], out, err] = await Promise.all([once(child, "exit"), text(stdout), text(stderr)]);
  return { code: code as number | null, stdout: out, stderr: err };
}

function run(script: string, ...args: string[]): Promise<Ended> {
  return ended(
    spawn(process.execPath, [path.join(ROOT, script), ...args], { stdio: ["ignore", "pipe", "pipe"] }),
  );
}

const local = (...args: string[]): Promise<Ended> => run("servers/_webui/local/cli.ts", ...args);

/** Everything that the family's builds have left, and what git says of the project. */
async function state(): Promise<{ readonly built: readonly HashedFile[]; readonly status: string }> {
  const adapters = await familyAdapters();
  const files = await Promise.all(adapters.map(({ id }) => filesBelow(ROOT, `servers/${id}/dist`)));
  const records = adapters.map(({ id }) => `.cache/builds/${id}.json`);
  return {
    built: await hashFiles(ROOT, [...files.flat(), ...records]),
    status: execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }),
  };
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

/** A page of an adapter's server, and what the server says of itself. */
async function ask(id: string): Promise<{ readonly page: string; readonly info: string }> {
  const server = spawn(process.execPath, [path.join(ROOT, "commands/serve.ts"), id], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const [address] = /http:\/\/\S+/.exec(line) ?? [];
      if (address === undefined) continue;
      const [page, info] = await Promise.all(
        ["", "bench/info"].map(async (file) => (await fetch(address + file)).text()),
      );
      return { page: page as string, info: info as string };
    }
    throw new Error(`${id} ended before it listened`);
  } finally {
    server.kill("SIGTERM");
    await exited;
  }
}

let folder = "";
before(async () => {
  assert.equal(await isThere(LINK.folder), false, "undo the link first: npm run webui:local -- --reset");
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "a checkout ")));
});
after(async () => {
  await local("--reset");
  await rm(folder, { recursive: true, force: true });
});

describe("a checkout with a marker compiled in", { timeout: RELEASE_BUILD_LIMIT_MS }, () => {
  let checkout = "";
  let former: Awaited<ReturnType<typeof state>>;
  before(async () => {
    checkout = path.join(folder, "marked");
    former = await state();
    await makeMarkedCheckout(checkout, MARKER);
  });

  test("is linked: its crates and its addon answer, and no file of the project's source changes", async () => {
    const linked = await local("--path", checkout);
    assert.equal(linked.code, 0, linked.stdout + linked.stderr);
    const addon = (await hashFiles(checkout, [ADDON]))[0] as HashedFile;
    for (const { id, runtime } of await familyAdapters()) {
      const { page, info } = await ask(id);
      assert.ok(page.startsWith(MARKER), `${id} answers ${page.slice(0, 100)}`);
      if (runtime === "native") assert.match(linked.stdout, new RegExp(`^${id} runs$`, "m"));
      else {
        assert.match(linked.stdout, new RegExp(`^${id} runs on the checkout's addon, ${addon.sha256}$`, "m"));
        assert.ok(info.includes(addon.sha256), `${id} reports another addon`);
      }
    }
    assert.match(linked.stdout, /^4 of 4 linked files are the checkout's/m);
    assert.equal((await state()).status, former.status);
    assert.equal(git(checkout, "status", "--porcelain"), "");
  });

  test("is told by --status, and refused before a run once it has changed", async () => {
    assert.equal((await local("--status")).code, 0);
    const file = path.join(checkout, "packages/webui/dist/index.js");
    const content = await readFile(file, "utf8");
    await appendFile(file, "// changed\n");
    const status = await local("--status");
    assert.equal(status.code, 1);
    assert.match(status.stdout, /has changed: 1 files, the first is packages\/webui\/dist\/index\.js/);
    const [adapter] = await familyAdapters();
    const verified = await run("commands/verify.ts", "--only", adapter?.id ?? "");
    assert.equal(verified.code, 1);
    assert.match(verified.stderr, /packages\/webui\/dist\/index\.js has changed/);
    await writeFile(file, content);
    assert.equal((await local("--status")).code, 0);
  });

  test("stays linked, whole, where another checkout can't be", async () => {
    const record = await readFile(LINK.record, "utf8");
    assert.equal((await local("--path", path.join(folder, "nothing"))).code, 2);
    assert.equal(await readFile(LINK.record, "utf8"), record);
    assert.equal((await local("--status")).code, 0);
  });

  test("whose server doesn't compile is named with its version; the JavaScript hosts run", async () => {
    const file = path.join(checkout, "crates/webui/src/streaming.rs");
    const content = await readFile(file, "utf8");
    await writeFile(file, content.replaceAll("with_flush_timeout", "with_another_name"));
    const linked = await local("--path", checkout);
    await writeFile(file, content);
    assert.equal(linked.code, 1);
    assert.match(linked.stderr + linked.stdout, /no method named `with_flush_timeout`/);
    assert.match(linked.stderr, /not built against microsoft-webui \d+\.\d+\.\d+ of /);
    for (const { id, runtime } of await familyAdapters()) {
      assert.equal(linked.stdout.includes(`${id} runs`), runtime !== "native", id);
    }
  });

  test("is gone after --reset, byte for byte", async () => {
    assert.equal((await local("--reset")).code, 0);
    assert.deepEqual(await state(), former);
    assert.equal(await isThere(LINKS), false);
    for (const { id } of await familyAdapters()) assert.ok(!(await ask(id)).page.includes(MARKER), id);
  });
});

describe("what can't be linked", () => {
  interface Fault {
    readonly code: 1 | 2;
    readonly message: RegExp;
    /** Spoils a checkout that could be linked as far as this is looked at. */
    readonly spoil: (checkout: string) => Promise<void>;
  }
  const faults: Readonly<Record<string, Fault>> = {
    "a folder that isn't there": {
      code: 2,
      message: /there is no such folder/,
      spoil: (checkout) => rm(checkout, { recursive: true }),
    },
    "a file": {
      code: 2,
      message: /it is no folder/,
      async spoil(checkout) {
        await rm(checkout, { recursive: true });
        await writeFile(checkout, "");
      },
    },
    "a folder that leads to itself": {
      code: 2,
      message: /--path .*ELOOP/,
      async spoil(checkout) {
        await rm(checkout, { recursive: true });
        await symlink(checkout, checkout);
      },
    },
    "another project": {
      code: 2,
      message: /isn't a checkout of WebUI: it has no Cargo\.toml/,
      spoil: (checkout) => rm(path.join(checkout, "Cargo.toml")),
    },
    "a Rust project of another kind": {
      code: 2,
      message: /its workspace has no crate microsoft-webui-node/,
      spoil: (checkout) => rm(path.join(checkout, "crates/webui-node"), { recursive: true }),
    },
    "a manifest that Cargo doesn't understand": {
      code: 2,
      message: /cargo metadata fails there/,
      spoil: (checkout) => write(checkout, "Cargo.toml", "["),
    },
    "nothing built": {
      code: 1,
      message:
        /lacks:\n {2}packages\/webui\/dist\/index\.js: pnpm[^\n]*\n {2}\S+libwebui_node\.so: cargo[^\n]*\n {2}\S+webui: cargo/,
      async spoil(checkout) {
        await rm(path.join(checkout, "packages/webui/dist"), { recursive: true });
        await rm(path.join(checkout, "target"), { recursive: true });
      },
    },
    "an addon for another platform": {
      code: 1,
      message: /libwebui_node\.so that runs on this machine \(.*\.so.*\): cargo build/,
      // An ELF file for another machine: e_machine is 183, AArch64.
      async spoil(checkout) {
        const addon = await readFile(path.join(checkout, ADDON));
        addon.writeUInt16LE(process.arch === "arm64" ? 62 : 183, 18);
        await writeFile(path.join(checkout, ADDON), addon);
      },
    },
    "an addon that is none": {
      code: 1,
      message: /libwebui_node\.so that runs on this machine/,
      spoil: (checkout) => write(checkout, ADDON, "text"),
    },
    "a command line for another platform": {
      code: 1,
      message: /target\/release\/webui that runs on this machine/,
      spoil: (checkout) => write(checkout, COMMAND_LINE, "\x7fELF"),
    },
    "crates that ask for a newer Rust": {
      code: 1,
      message: /ask for Rust 1\.9999 or newer, and the adapters are compiled with 1\./,
      spoil: (checkout) =>
        appendFile(path.join(checkout, "crates/webui/Cargo.toml"), 'rust-version = "1.9999"\n'),
    },
  };

  let built: Awaited<ReturnType<typeof state>>;
  before(async () => {
    built = await state();
  });

  for (const [name, { code, message, spoil }] of Object.entries(faults)) {
    test(name, async () => {
      const checkout = await mkdtemp(path.join(folder, "spoiled "));
      await makeEmptyCheckout(checkout);
      await spoil(checkout);
      const linked = await local("--path", checkout);
      assert.match(linked.stderr, message);
      assert.match(linked.stderr, /^error: /);
      assert.equal(linked.code, code);
      assert.equal(await isThere(LINK.folder), false);
      assert.deepEqual(await state(), built);
    });
  }

  test("no flag, two flags, and one that isn't there", async () => {
    for (const args of [[], ["--status", "--reset"], ["--path", "a", "--reset"], ["--path"], ["--what"]]) {
      const { code, stderr } = await local(...args);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, /error: [\s\S]*--help/);
    }
  });
});
