/**
 * What cargo doesn't do of an adapter's build: bundles the client, compiles the templates, and puts both beside what
 * serves them into the adapter's `dist`. Run in the adapter's folder, once cargo has built the workspace.
 */

import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "vite";
import { type PageAssets, readPageAssets } from "../_kit/server/assets.ts";
import { buildHost } from "./build-host.ts";

const FAMILY = import.meta.dirname;
const BINARIES = path.join(FAMILY, "target", "release");
const TEMPLATES = path.join(FAMILY, "templates");
const ADAPTER = process.cwd();
const DIST = path.join(ADAPTER, "dist");
const CLIENT = path.join(DIST, "client");
/** The templates with the assets' names filled in: what WebUI's compiler reads. */
const FILLED = path.join(FAMILY, "target", "templates", path.basename(ADAPTER));

/** What only a plugin's client understands; without a plugin WebUI would send it as it stands. */
const CLIENT_BINDING = / (?:@[\w-]+|f-ref)="[^"]*"/g;

const { values: options } = parseArgs({
  options: {
    /** Where components have their content: `light` or `shadow`. */
    dom: { type: "string", default: "light" },
    /** What the templates are compiled for: a hydration plugin of WebUI's, or nothing for plain elements. */
    plugin: { type: "string" },
    /** The client's entry in `client/`. */
    client: { type: "string", default: "plain" },
    /** What serves the page: `actix`, or `javascript`, with the adapter's own `server.ts` and `bare.ts`. */
    host: { type: "string", default: "actix" },
  },
});

await rm(DIST, { recursive: true, force: true });
await bundleClient();
await fillTemplates(readPageAssets(path.join(CLIENT, ".vite", "manifest.json")));
compileTemplates();
if (options.host === "actix") await copyBinaries();
else await buildHost(FAMILY, ADAPTER);

/** Into `dist/client/assets`, hashed. */
async function bundleClient(): Promise<void> {
  await build({
    root: FAMILY,
    configFile: false,
    appType: "custom",
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      manifest: true,
      // The favicon is a file like the others, never a data URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: path.join(FAMILY, "client", `${options.client}.ts`) },
    },
  });
}

async function fillTemplates(assets: PageAssets): Promise<void> {
  await rm(FILLED, { recursive: true, force: true });
  for (const entry of await readdir(TEMPLATES, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const target = path.join(FILLED, path.relative(TEMPLATES, file));
    const template = await readFile(file, "utf8");
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, fill(isPage(file) ? template : component(template), assets));
  }
}

function isPage(file: string): boolean {
  return path.dirname(file) === path.join(TEMPLATES, "page");
}

function component(template: string): string {
  const bound = options.plugin === undefined ? template.replaceAll(CLIENT_BINDING, "") : template;
  // A document's styles end at a shadow root, so each links the one stylesheet once more.
  return options.dom === "shadow" ? `<link rel="stylesheet" href="%STYLESHEET%">\n${bound}` : bound;
}

function fill(template: string, { favicon, stylesheet, script }: PageAssets): string {
  return template
    .replaceAll("%FAVICON%", favicon)
    .replaceAll("%STYLESHEET%", stylesheet)
    .replaceAll("%SCRIPT%", script);
}

function compileTemplates(): void {
  execFileSync(
    path.join(BINARIES, "compile-templates"),
    [
      ...["--page", path.join(FILLED, "page")],
      ...["--components", path.join(FILLED, "components")],
      ...["--dom", options.dom],
      ...(options.plugin === undefined ? [] : ["--plugin", options.plugin]),
      ...["--out", path.join(DIST, "protocol.bin")],
    ],
    { stdio: "inherit" },
  );
}

async function copyBinaries(): Promise<void> {
  for (const name of ["server", "bare"]) await cp(path.join(BINARIES, name), path.join(DIST, name));
}
