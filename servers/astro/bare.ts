/**
 * The same app on Astro's standalone server as Astro starts it, built for the one mode or the other: what this folder
 * adds is the difference. Pages only; it is measured, never ranked.
 */
import { parseServerArguments } from "../_kit/server/arguments.ts";

const { host, port, responseMode } = parseServerArguments(process.argv.slice(2), process.env);
Object.assign(process.env, { HOST: host, PORT: `${port}` });
delete process.env.ASTRO_NODE_AUTOSTART;
await import(`./dist/bare-${responseMode}/server/entry.mjs`);
