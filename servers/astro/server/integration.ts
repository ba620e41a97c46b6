import type { AstroIntegration } from "astro";

/** What the suite asks of a server beside the pages: `/bench/info`, and one piece in complete mode. */
export function forTheSuite(): AstroIntegration {
  return {
    name: "for-the-suite",
    hooks: {
      "astro:config:setup": ({ addMiddleware, injectRoute }) => {
        addMiddleware({ entrypoint: new URL("./completeByBuffering.ts", import.meta.url), order: "pre" });
        injectRoute({ pattern: "/bench/info", entrypoint: new URL("./info.ts", import.meta.url) });
      },
    },
  };
}
