/** A checkout of WebUI made at test time, with nothing to compile. */
import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
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

function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" }).trim();
}
