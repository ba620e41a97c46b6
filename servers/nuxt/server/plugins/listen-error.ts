/** Nitro logs every uncaught error and goes on; one that can't listen has to end, and say so by its status. */
import { defineNitroPlugin } from "nitropack/runtime";

export default defineNitroPlugin((nitro) => {
  nitro.hooks.hook("error", (error) => {
    if ("syscall" in error && error.syscall === "listen") process.exit(1);
  });
});
