/** The handler of Astro's standalone server, files and all, on a server that also ends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseServerArguments } from "../_kit/server/arguments.ts";
import { serveFramework } from "../_kit/server/framework-server.ts";

interface Entry {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
}

// Made by the build, which the types are checked without.
const { handler }: Entry = await import("./dist/output/server/entry.mjs" as string);
serveFramework("astro", handler, parseServerArguments(process.argv.slice(2), process.env));
