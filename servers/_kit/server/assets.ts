/**
 * The client's files, read once when the server starts: a few hashed files of some hundred KB, looked up by their
 * whole path, so that no request path ever reaches the file system.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Asset {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** What a page refers to, as URL paths. */
export interface PageAssets {
  readonly script: string;
  readonly stylesheet: string;
  readonly favicon: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/**
 * All files below `folder`, by the URL path that each is served at.
 *
 * @param prefix URL path of the folder, with a slash at both ends
 * @throws Error `ENOENT` where the client wasn't built
 */
export function loadAssets(folder: string, prefix: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const body = readFileSync(file);
    const relative = path.relative(folder, file).split(path.sep).map(encodeURIComponent).join("/");
    assets.set(prefix + relative, {
      body,
      headers: {
        "content-type": CONTENT_TYPES[path.extname(entry.name)] ?? "application/octet-stream",
        "content-length": body.byteLength,
        "cache-control": "public, max-age=31536000, immutable",
      },
    });
  }
  return assets;
}

/** One entry of Vite's `manifest.json`, as far as it's used here. */
interface ManifestChunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly css?: readonly string[];
}

/**
 * The script, stylesheet and favicon of a client built by Vite whose one entry imports the other two.
 *
 * @param manifestFile `manifest.json` of the client's build
 * @throws Error where the file or one of the three is missing
 */
export function readPageAssets(manifestFile: string): PageAssets {
  const chunks = Object.values(
    JSON.parse(readFileSync(manifestFile, "utf8")) as Record<string, ManifestChunk>,
  );
  const entry = chunks.find((chunk) => chunk.isEntry);
  const stylesheet = entry?.css?.[0];
  const favicon = chunks.find((chunk) => chunk.src?.endsWith("/favicon.svg"))?.file;
  if (entry === undefined || stylesheet === undefined || favicon === undefined) {
    throw new Error(`${manifestFile}: no entry with a stylesheet and a favicon; build the adapter again.`);
  }
  return { script: `/${entry.file}`, stylesheet: `/${stylesheet}`, favicon: `/${favicon}` };
}
