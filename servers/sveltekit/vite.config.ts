import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

export default defineConfig({
  logLevel: "warn",
  build: {
    // The favicon is a file like the others, never a data URL.
    assetsInlineLimit: 0,
    // They hold source that isn't in the build, and no server reads them.
    sourcemap: false,
  },
  plugins: [
    sveltekit({
      outDir: "dist/svelte-kit",
      compilerOptions: { runes: true },
      adapter: adapter({ out: "dist/output", precompress: false }),
    }),
  ],
});
