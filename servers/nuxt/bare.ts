/**
 * The same app, with the same bytes and headers, on Nuxt's server with nothing of this folder's own in it: what that
 * costs is the difference. Pages only; it is measured, never ranked.
 */
import { parseServerArguments } from "../_kit/server/arguments.ts";

const { responseMode } = parseServerArguments([], process.env);
await import(`./dist/bare-${responseMode}/server/index.mjs`);
