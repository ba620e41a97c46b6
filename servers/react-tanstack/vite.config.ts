import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import { defineConfig } from "vite";

export default defineConfig({
  logLevel: "warn",
  publicDir: false,
  // The favicon is a file like the others, never a data URL.
  build: { assetsInlineLimit: 0 },
  plugins: [tanstackStart()],
  environments: {
    client: { build: { manifest: true } },
    ssr: {
      resolve: { noExternal: true },
      build: { rolldownOptions: { input: { server: "src/server.ts", bare: "src/bare.ts" } } },
    },
  },
});
