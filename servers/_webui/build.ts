/**
 * An adapter's build, run in its folder: builds the family's crates, bundles the client, compiles the templates, and
 * puts all of it into the adapter's `dist`. The crates are the registry's, or those of a linked checkout.
 */

import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "vite";
import { type PageAssets, readPageAssets } from "../_kit/server/assets.ts";
import { buildHost } from "./build-host.ts";
import { readSources } from "./local/builds.ts";
import { forCheckout } from "./local/dialect.ts";
import { forPlugin } from "./plugin.ts";

const FAMILY = import.meta.dirname;
const TEMPLATES = path.join(FAMILY, "templates");
const ADAPTER = process.cwd();
const DIST = path.join(ADAPTER, "dist");
const CLIENT = path.join(DIST, "client");
/** The compiled templates, and what they were compiled for: what renders them has to know. */
const PAGE = path.join(DIST, "page");
const { workspace, linkedAddon, framework } = await readSources();
const TARGET = path.join(workspace, "target");
const BINARIES = path.join(TARGET, "release");
const LOCK_FILE = path.join(workspace, "Cargo.lock");
const ADDON = linkedAddon ?? path.join(BINARIES, "libwebui_node.so");
/** The templates with the assets' names filled in: what WebUI's compiler reads. */
const FILLED = path.join(TARGET, "templates", path.basename(ADAPTER));

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

/** A checkout's own framework takes the plain elements' place. */
const { client, plugin } =
  framework !== null && options.client === "plain" ? { client: "framework", plugin: "webui" } : options;

compileCrates();
await rm(DIST, { recursive: true, force: true });
await bundleClient();
await fillTemplates(readPageAssets(path.join(CLIENT, ".vite", "manifest.json")));
await compileTemplates();
if (options.host === "actix") await copyBinaries();
else await buildHost(ADAPTER, LOCK_FILE, ADDON);

/**
 * Of the registry's all at once, so that one set of features serves every adapter. Of a linked checkout what this one
 * needs: its server may not compile where the others do, and the addon comes with it.
 */
function compileCrates(): void {
  const manifest = path.join(workspace, "Cargo.toml");
  const needed = ["compile-templates", ...(options.host === "actix" ? ["actix-host"] : [])];
  const all = ["actix-host", "addon", "compile-templates", "microsoft-webui-node"];
  const packages = (linkedAddon === null ? all : needed).map((name) => `--package=${name}`);
  execFileSync("cargo", ["build", "--release", "--locked", "--manifest-path", manifest, ...packages], {
    stdio: "inherit",
  });
}

/** Into `dist/client/assets`, hashed. */
async function bundleClient(): Promise<void> {
  await build({
    root: FAMILY,
    configFile: false,
    appType: "custom",
    logLevel: "warn",
    publicDir: false,
    resolve: {
      alias:
        framework === null ? {} : { "@microsoft/webui-framework": path.join(framework, "dist", "index.js") },
    },
    // The framework's own warnings are for development.
    define: { __WEBUI_DEV__: "false" },
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      manifest: true,
      // The favicon is a file like the others, never a data URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: path.join(FAMILY, "client", `${client}.ts`) },
    },
  });
}

async function fillTemplates(assets: PageAssets): Promise<void> {
  await rm(FILLED, { recursive: true, force: true });
  for (const entry of await readdir(TEMPLATES, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const target = path.join(FILLED, path.relative(TEMPLATES, file));
    const source = await readFile(file, "utf8");
    const template = linkedAddon === null ? source : forCheckout(source);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, fill(isPage(file) ? template : component(template), assets));
    if (plugin === "webui" && !isPage(file)) await markScripted(target);
  }
}

/** A module beside its template says that a component has code: the compiler reads no more of it than that. */
async function markScripted(template: string): Promise<void> {
  const code = `// Its code is in client/framework-${path.basename(template, ".html")}.ts.\n`;
  await writeFile(template.replace(/html$/, "ts"), code);
}

function isPage(file: string): boolean {
  return path.dirname(file) === path.join(TEMPLATES, "page");
}

function component(template: string): string {
  const bound = forPlugin(template, plugin);
  // A document's styles end at a shadow root, so each links the one stylesheet once more.
  return options.dom === "shadow" ? `<link rel="stylesheet" href="%STYLESHEET%">\n${bound}` : bound;
}

function fill(template: string, { favicon, stylesheet, script }: PageAssets): string {
  // Plain elements take over what has arrived. What a plugin's client needs stands at the page's end.
  const async = plugin === undefined ? " async" : "";
  return template
    .replaceAll("%FAVICON%", favicon)
    .replaceAll("%STYLESHEET%", stylesheet)
    .replaceAll("%SCRIPT%", script)
    .replaceAll(" %ASYNC%", async);
}

async function compileTemplates(): Promise<void> {
  await mkdir(PAGE, { recursive: true });
  execFileSync(
    path.join(BINARIES, "compile-templates"),
    [
      ...["--page", path.join(FILLED, "page")],
      ...["--components", path.join(FILLED, "components")],
      ...["--dom", options.dom],
      ...(plugin === undefined ? [] : ["--plugin", plugin]),
      ...["--out", path.join(PAGE, "protocol.bin")],
    ],
    { stdio: "inherit" },
  );
  await writeFile(path.join(PAGE, "plugin"), `${plugin ?? "none"}\n`);
}

async function copyBinaries(): Promise<void> {
  for (const name of ["server", "bare"]) await cp(path.join(BINARIES, name), path.join(DIST, name));
}
