/** In a plugin, because these run before the streamed shell is sent; what a component adds to the head comes after it. */
import { defineNuxtPlugin, useHead } from "nuxt/app";
import favicon from "../../../_kit/assets/favicon.svg";

export default defineNuxtPlugin(() => {
  useHead({ link: [{ rel: "icon", type: "image/svg+xml", href: favicon }] });
});
