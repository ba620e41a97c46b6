#!/usr/bin/env node
/** The browser run of the todo workload, on whichever Node this is: `node todo/browser/cli.mjs --help`. */
import { runPinned } from "../../commands/node.mjs";

await runPinned(new URL("./main.ts", import.meta.url), process.argv.slice(2));
