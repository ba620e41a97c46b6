/** The pages, the island, and Astro's own server: all of the app but what the suite asks of a server beside it. */
import node from "@astrojs/node";
import react from "@astrojs/react";
import { defineConfig, passthroughImageService } from "astro/config";

/** @param streaming whether pages are streamed, which Astro settles when it builds */
export function pagesOnly(outDir: string, streaming: boolean) {
  return defineConfig({
    outDir,
    output: "server",
    adapter: node({ mode: "standalone", experimentalDisableStreaming: !streaming }),
    integrations: [react()],
    // Styles and the favicon are files, never part of the page or a data URL.
    build: { inlineStylesheets: "never" },
    vite: { build: { assetsInlineLimit: 0 } },
    // There is no picture to be made smaller, and so no need of the program that does it.
    image: { service: passthroughImageService() },
  });
}
