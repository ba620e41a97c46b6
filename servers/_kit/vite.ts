/** The build that the adapters without a framework's own build tool share: the client, then the server. */
import { existsSync } from "node:fs";
import type { UserConfig } from "vite";

/**
 * Production builds of `client.tsx` into `dist/client` (hashed files and a manifest), then of `server.ts`, and `bare.ts`
 * where there is one, into `dist`, with all that they import and the chunk that they share.
 *
 * @param jsxImportSource the package whose JSX runtime the components use, where they use one
 */
export function adapterBuild(jsxImportSource?: string): UserConfig {
  return {
    appType: "custom",
    logLevel: "warn",
    publicDir: false,
    ...(jsxImportSource && { oxc: { jsx: { runtime: "automatic", importSource: jsxImportSource } } }),
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    builder: {},
    environments: {
      client: {
        build: {
          outDir: "dist/client",
          manifest: true,
          // The favicon is a file like the others, never a data URL.
          assetsInlineLimit: 0,
          modulePreload: { polyfill: false },
          rolldownOptions: { input: "client.tsx" },
        },
      },
      ssr: {
        resolve: { noExternal: true },
        build: {
          outDir: "dist",
          // The client is in it already.
          emptyOutDir: false,
          ssr: true,
          rolldownOptions: {
            input: ["server.ts", "bare.ts"].filter((file) => existsSync(file)),
            output: { chunkFileNames: "chunks/[name].js" },
          },
        },
      },
    },
  };
}
