import { createRouter } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";

/** A router for each request on the server, and one in the browser. */
export function getRouter() {
  return createRouter({ routeTree });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof getRouter>;
  }
}
