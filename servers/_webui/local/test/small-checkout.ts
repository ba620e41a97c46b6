/** Checkouts of WebUI made at test time: with nothing to compile, or from the sources of the published crates. */
import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { cargoMetadata } from "../cargo.ts";
import { ADDON, COMMAND_LINE, FAMILY } from "../paths.ts";

export async function write(folder: string, file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

const WORKSPACE = `[workspace]
resolver = "2"
members = ["crates/*"]

`;

/** Two crates without content, and outputs that this machine can run; the addon is that of the registry's build. */
export async function makeEmptyCheckout(folder: string): Promise<void> {
  await write(folder, "Cargo.toml", WORKSPACE);
  for (const name of ["webui", "webui-node"]) {
    const manifest = `[package]\nname = "microsoft-${name}"\nversion = "9.8.7"\nedition = "2021"\n`;
    await write(folder, `crates/${name}/Cargo.toml`, manifest);
    await write(folder, `crates/${name}/src/lib.rs`, "");
  }
  await writeOutputs(folder, path.join(FAMILY, "target", "release", path.basename(ADDON)));
}

async function writeOutputs(folder: string, addon: string | null): Promise<void> {
  const manifest = { name: "@microsoft/webui", version: "9.8.7", exports: { ".": "./dist/index.js" } };
  await write(folder, "packages/webui/package.json", JSON.stringify(manifest));
  await write(folder, "packages/webui/dist/index.js", "export {};\n");
  await write(folder, COMMAND_LINE, "#!/bin/sh\n");
  await chmod(path.join(folder, COMMAND_LINE), 0o755);
  if (addon !== null) await cp(addon, path.join(folder, ADDON));
  await write(folder, ".gitignore", "target/\ndist/\n");
  git(folder, "init", "--quiet");
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "a checkout");
}

export function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

/**
 * The published crates as a workspace of their own, with `marker` written before each page that they render, and the
 * addon built of them.
 */
export async function makeMarkedCheckout(folder: string, marker: string): Promise<void> {
  const crates = (await cargoMetadata(path.join(FAMILY, "Cargo.toml"), ["--locked"])).filter(({ name }) =>
    name.startsWith("microsoft-webui"),
  );
  const folderOf = new Map(crates.map(({ name }) => [name, name.replace("microsoft-", "")]));
  for (const { name, manifest_path } of crates) {
    const target = path.join(folder, "crates", folderOf.get(name) as string);
    await cp(path.dirname(manifest_path), target, { recursive: true });
    const manifest = path.join(target, "Cargo.toml");
    await writeFile(manifest, onPaths(await readFile(manifest, "utf8"), folderOf));
  }
  await mark(path.join(folder, "crates", "webui-handler", "src", "lib.rs"), marker);
  // The family's own profile and lock file: what is compiled of other crates is then at hand.
  const profile = /^\[profile\.release\][\s\S]*/m.exec(
    await readFile(path.join(FAMILY, "Cargo.toml"), "utf8"),
  )?.[0];
  await write(folder, "Cargo.toml", `${WORKSPACE}${profile}`);
  await cp(path.join(FAMILY, "Cargo.lock"), path.join(folder, "Cargo.lock"));
  await copyCompiled(path.join(folder, "target", "release"));
  const args = ["build", "--release", "--manifest-path", path.join(folder, "Cargo.toml")];
  execFileSync("cargo", [...args, "--package=microsoft-webui-node"], { cwd: FAMILY, stdio: "inherit" });
  await writeOutputs(folder, null);
}

/** What only tests need: it would have to be downloaded, and is never compiled here. */
const FOR_TESTS = /^\[(?:target\..*\.)?dev-dependencies\..*\]\n(?:(?!\[).*\n)*/gm;
const DEPENDENCY = /^(\[dependencies\.([\w-]+)\]\n)version = "[^"]*"$/gm;

/** As in a workspace: each other by path, where the published manifests have versions. */
function onPaths(manifest: string, folderOf: ReadonlyMap<string, string>): string {
  return manifest.replaceAll(FOR_TESTS, "").replaceAll(DEPENDENCY, (text, head: string, name: string) => {
    const folder = folderOf.get(name);
    return folder === undefined ? text : `${head}path = "../${folder}"`;
  });
}

const RENDER = /(pub fn render<'a>\([^{]*writer: &'a mut dyn ResponseWriter,\s*\) -> Result<\(\)> \{\n)/;

async function mark(file: string, marker: string): Promise<void> {
  const source = await readFile(file, "utf8");
  if (!RENDER.test(source)) throw new Error(`${file} has no render function as it was when this was written`);
  await writeFile(file, source.replace(RENDER, `$1        writer.write(${JSON.stringify(marker)})?;\n`));
}

async function copyCompiled(target: string): Promise<void> {
  const from = path.join(FAMILY, "target", "release");
  const names = (await readdir(from)).filter((name) => ["deps", "build", ".fingerprint"].includes(name));
  for (const name of names) {
    await cp(path.join(from, name), path.join(target, name), { recursive: true, preserveTimestamps: true });
  }
}
