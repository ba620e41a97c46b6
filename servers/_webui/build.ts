/**
 * What cargo doesn't do of an adapter's build: bundles the client, compiles the templates, and puts both beside the
 * server's binary into the adapter's `dist`. Run in the adapter's folder, once cargo has built the workspace.
 */

import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";
import { type PageAssets, readPageAssets } from "../_kit/server/assets.ts";

const FAMILY = import.meta.dirname;
const BINARIES = path.join(FAMILY, "target", "release");
const ADAPTER = process.cwd();
const DIST = path.join(ADAPTER, "dist");
/** The page with its assets' names filled in: what the templates' compiler reads. */
const PAGE = path.join(FAMILY, "target", "pages", path.basename(ADAPTER));

await bundleClient();
await writePage(readPageAssets(path.join(DIST, ".vite", "manifest.json")));
compileTemplates();
await copyBinaries();

/** Into `dist/assets`, hashed; empties `dist` first. */
async function bundleClient(): Promise<void> {
  await build({
    root: FAMILY,
    configFile: false,
    appType: "custom",
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: DIST,
      emptyOutDir: true,
      manifest: true,
      // The favicon is a file like the others, never a data URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: path.join(FAMILY, "client", "light.ts") },
    },
  });
}

async function writePage(assets: PageAssets): Promise<void> {
  const template = await readFile(path.join(FAMILY, "templates", "page", "index.html"), "utf8");
  const page = template
    .replace("%FAVICON%", assets.favicon)
    .replace("%STYLESHEET%", assets.stylesheet)
    .replace("%SCRIPT%", assets.script);
  await rm(PAGE, { recursive: true, force: true });
  await mkdir(PAGE, { recursive: true });
  await writeFile(path.join(PAGE, "index.html"), page);
}

function compileTemplates(): void {
  execFileSync(
    path.join(BINARIES, "compile-templates"),
    [
      ...["--page", PAGE],
      ...["--components", path.join(FAMILY, "templates", "components")],
      ...["--dom", "light"],
      ...["--out", path.join(DIST, "protocol.bin")],
    ],
    { stdio: "inherit" },
  );
}

async function copyBinaries(): Promise<void> {
  for (const name of ["server", "bare"]) await cp(path.join(BINARIES, name), path.join(DIST, name));
}
