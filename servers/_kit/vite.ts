/** The build that the adapters without a framework's own build tool share: the server, then the client. */
import { existsSync } from "node:fs";
import type { UserConfig } from "vite";

/**
 * Production builds of `server.ts`, and `bare.ts` where there is one, into `dist`, with all that they import and the
 * chunk that they share, then of `client.ts` or `client.tsx` into `dist/client` (hashed files and a manifest). In this order, since the
 * first empties `dist`: what an earlier build left there would be taken for an artifact of this one.
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
    builder: {
      async buildApp(builder) {
        for (const name of ["ssr", "client"]) {
          const environment = builder.environments[name];
          if (environment !== undefined) await builder.build(environment);
        }
      },
    },
    environments: {
      client: {
        build: {
          outDir: "dist/client",
          manifest: true,
          // The favicon is a file like the others, never a data URL.
          assetsInlineLimit: 0,
          modulePreload: { polyfill: false },
          rolldownOptions: { input: ["client.ts", "client.tsx"].filter((file) => existsSync(file)) },
        },
      },
      ssr: {
        resolve: { noExternal: true },
        build: {
          outDir: "dist",
          emptyOutDir: true,
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
