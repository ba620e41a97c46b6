/** Nuxt streams where it may; the one switch that it leaves to each request turns that off. */
import { defineNitroPlugin } from "nitropack/runtime";
import { responseMode } from "../responseMode.ts";

export default defineNitroPlugin((nitro) => {
  if (responseMode === "progressive") return;
  nitro.hooks.hook("render:route", (context) => {
    context.prefersStream = false;
  });
});
