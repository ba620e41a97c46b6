/** The build of a JavaScript host: its server in one file with all that it imports, and the addon beside it. */
import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";

const ADDON_CRATE = "microsoft-webui-node";

/**
 * Bundles `server.ts` and `bare.ts` of `adapter` into its `dist`, and copies the addon there.
 *
 * @param lockFile the Cargo.lock that has the addon's version
 * @throws Error where the lock file holds no addon, or there is none
 */
export async function buildHost(adapter: string, lockFile: string, addon: string): Promise<void> {
  const dist = path.join(adapter, "dist");
  const version = lockedVersion(await readFile(lockFile, "utf8"));
  await build({
    root: adapter,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    define: { WEBUI_VERSION: JSON.stringify(version) },
    ssr: { noExternal: true },
    build: {
      outDir: dist,
      emptyOutDir: false,
      ssr: true,
      rolldownOptions: {
        input: ["server.ts", "bare.ts"].map((file) => path.join(adapter, file)),
        output: { chunkFileNames: "chunks/[name].js" },
      },
    },
  });
  await cp(addon, path.join(dist, "webui.node"));
}

/** In a lock file each package's version is on the line after its name. */
function lockedVersion(lock: string): string {
  const version = new RegExp(`^name = "${ADDON_CRATE}"\nversion = "([^"]+)"$`, "m").exec(lock)?.[1];
  if (version === undefined) throw new Error(`Cargo.lock holds no version of ${ADDON_CRATE}.`);
  return version;
}
