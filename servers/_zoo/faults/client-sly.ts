/** Pages that are wrong only for a while, only later, or only for whoever waits for them: they look right to one look. */
import type { Faults } from "../fault.ts";
import { scripted } from "./client.ts";

export const SLY_CLIENT_FAULTS: Faults = {
  "items-rendered-while-parsed": scripted("items rendered anew before the document has been parsed", () => {
    const watcher = new MutationObserver(() => {
      const list = document.querySelector(".todo-list");
      if (list === null || document.querySelector("[data-todo='todo-100']") === null) return;
      watcher.disconnect();
      list.replaceWith(list.cloneNode(true));
    });
    watcher.observe(document, { subtree: true, childList: true });
  }),
  "shows-empty-for-a-while": scripted("an empty todo that is shown for a second and a half", () => {
    addEventListener(
      "submit",
      () => {
        if (document.querySelector<HTMLInputElement>("[data-new]")?.value !== "") return;
        const item = document.querySelector(".todo-list > li");
        const copy = item?.cloneNode(true) as HTMLElement;
        setTimeout(() => item?.before(copy));
        setTimeout(() => copy.remove(), 1500);
      },
      true,
    );
  }),
  "cleared-come-back": scripted("completed todos that come back after they were cleared", () => {
    addEventListener(
      "click",
      (event) => {
        if ((event.target as Element).closest("[data-clear-completed]") === null) return;
        const list = document.querySelector(".todo-list");
        const one = document.querySelector("[data-completed='true']");
        setTimeout(() => one !== null && list?.append(one), 50);
      },
      true,
    );
  }),
  "reload-after-ready": scripted("a page that loads itself anew a second after ready", () => {
    const { mark } = performance;
    performance.mark = (...args) => {
      setTimeout(() => location.reload(), 1000);
      return mark.apply(performance, args);
    };
  }),
  "stuck-on-toggle": scripted("a box that never comes back from its handler", () => {
    addEventListener(
      "click",
      (event) => {
        if ((event.target as Element).closest("[data-toggle]") === null) return;
        for (;;);
      },
      true,
    );
  }),
  "stuck-at-ready": scripted("a page that never comes back from its ready mark", () => {
    const { mark } = performance;
    performance.mark = (...args) => {
      setTimeout(() => {
        for (;;);
      });
      return mark.apply(performance, args);
    };
  }),
  "data-preloaded": scripted("data before ready by way of a preload", () => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "fetch", href: "/bench/info", crossOrigin: "anonymous" });
    document.head.append(link);
    link.onload = () => void fetch(link.href);
  }),
  "ready-backdated": scripted("a ready mark with another time than its own", () => {
    const { mark } = performance;
    performance.mark = (name) => mark.call(performance, name, { startTime: 1 });
  }),
};
