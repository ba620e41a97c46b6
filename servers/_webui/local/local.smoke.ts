/** `webui:local` against checkouts made here that can't be linked. Needs Rust, and the family's adapters built. */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { familyAdapters } from "./adapters.ts";
import { filesBelow, type HashedFile, hashFiles } from "./files.ts";
import { ADDON, COMMAND_LINE, LINK, ROOT } from "./paths.ts";
import { makeEmptyCheckout, write } from "./test/small-checkout.ts";

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

let folder = "";
before(async () => {
  assert.equal(await isThere(LINK.folder), false, "undo the link first: npm run webui:local -- --reset");
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "a checkout ")));
});
after(async () => {
  await local("--reset");
  await rm(folder, { recursive: true, force: true });
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
