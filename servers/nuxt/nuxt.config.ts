import { defineNuxtConfig } from "nuxt/config";
import { FILTER_PATHS } from "../../todo/contract/data.ts";

/**
 * The same app in one mode, on a server with none of this folder's plugins and routes: see bare.ts.
 *
 * @param ssrStreaming `botRegex` in it says whom Nuxt answers with a string in place of a stream, by user agent
 */
function bare(mode: "progressive" | "complete", ssrStreaming: { readonly botRegex?: RegExp }) {
  return {
    serverDir: "dist/no-server",
    experimental: { ssrStreaming },
    nitro: { output: { dir: `dist/bare-${mode}` } },
  };
}

export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  telemetry: false,
  // It stands in every page; else it would be another one after each build.
  buildId: "todo",
  buildDir: "dist/nuxt",
  sourcemap: false,
  css: ["~~/../_kit/assets/todo.css"],
  app: {
    // The streamed shell has what is known before the page is rendered, which these are.
    head: { title: "Todos", htmlAttrs: { lang: "en" } },
  },
  routeRules: Object.fromEntries(
    Object.values(FILTER_PATHS).map((path) => [path, { headers: { "cache-control": "no-store" } }]),
  ),
  experimental: {
    ssrStreaming: { enabled: true },
    // The page holds its data, and asks for nothing else.
    payloadExtraction: false,
    appManifest: false,
  },
  nitro: { preset: "node-server", output: { dir: "dist/output" } },
  vite: {
    // The favicon is a file, never a data URL.
    build: { assetsInlineLimit: 0 },
    // Components beside this folder use the same router as Nuxt does.
    resolve: { dedupe: ["vue", "vue-router"] },
    // Nuxt has this package external by name, and its compiler imports it by path too: Rolldown wants both alike.
    environments: { ssr: { build: { rolldownOptions: { external: [/\/node_modules\/unctx\//] } } } },
  },
  // With the same `buildDir` as this one, or equal files would get other names.
  $env: { "bare-progressive": bare("progressive", {}), "bare-complete": bare("complete", { botRegex: /^/ }) },
});
