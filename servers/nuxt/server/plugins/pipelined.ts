/**
 * A pipelined request's response has no socket before its turn comes. h3 takes a response without one for a platform
 * that does the sending itself, and would never send the stream; so these requests are handled when it is their turn.
 */
import { once } from "node:events";
import { ServerResponse } from "node:http";
import { defineNitroPlugin } from "nitropack/runtime";

export default defineNitroPlugin((nitro) => {
  nitro.hooks.hook("request", async ({ node: { res: response } }) => {
    // What the server asks itself has no socket ever, and isn't Node's.
    if (response.socket === null && response instanceof ServerResponse) await once(response, "socket");
  });
});
