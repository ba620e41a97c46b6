/**
 * Pages that are right as sent, and go wrong in the browser. Each has a script of its own beside the template's
 * client, as a bug in that client would have it. The functions below are sent as text and run in the page.
 */
import type { Fault, Faults, PageDocument } from "../fault.ts";

function changing(what: string, change: (document: PageDocument) => PageDocument): Fault {
  return {
    what,
    make: (right) => ({
      respond: (exchange) => right.send(exchange, change(right.render(right.data(exchange.page)))),
    }),
  };
}

/** A script in the head: it runs before the page's own. */
export function scripted(what: string, script: () => void): Fault {
  return changing(what, (document) => ({
    ...document,
    start: document.start.replace("</head>", `<script>(${script})()</script></head>`),
  }));
}

const MODULE_SCRIPT = /<script type="module"[^>]*><\/script>/;

export const CLIENT_FAULTS: Faults = {
  "never-hydrated": changing("a client that never starts", (document) => ({
    ...document,
    start: document.start.replace(MODULE_SCRIPT, "<script>void 0</script>"),
  })),
  "ready-before-handlers": scripted("ready a second before the handlers work", () => {
    const { addEventListener } = HTMLElement.prototype;
    HTMLElement.prototype.addEventListener = function (this: HTMLElement, ...handler: unknown[]) {
      setTimeout(() => Reflect.apply(addEventListener, this, handler), 1000);
    };
  }),
  "last-item-late": scripted("a last item whose box works half a second after ready", () => {
    const block = (event: Event): void => {
      if ((event.target as Element).closest("li.todo-item")?.nextElementSibling !== null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("click", block, true);
    const { mark } = performance;
    performance.mark = (...args) => {
      setTimeout(() => removeEventListener("click", block, true), 500);
      return mark.apply(performance, args);
    };
  }),
  "items-rendered-anew": scripted("the server's items thrown away and rendered anew", () => {
    addEventListener("DOMContentLoaded", () => undefined);
    document.addEventListener("readystatechange", () => {
      const list = document.querySelector(".todo-list");
      if (list !== null && document.readyState === "interactive")
        queueMicrotask(() => list.replaceWith(list.cloneNode(true)));
    });
  }),
  "titles-twice": scripted("every title twice after hydration", () => {
    const { mark } = performance;
    performance.mark = (...args) => {
      for (const title of document.querySelectorAll("[data-title]")) title.after(title.cloneNode(true));
      return mark.apply(performance, args);
    };
  }),
  "titles-change": scripted("titles that change a second after ready", () => {
    const { mark } = performance;
    performance.mark = (...args) => {
      setTimeout(() => {
        for (const title of document.querySelectorAll("[data-title]")) title.textContent += " (seen)";
      }, 1000);
      return mark.apply(performance, args);
    };
  }),
  "items-invisible": scripted("items that are there and can't be seen", () => {
    const style = document.createElement("style");
    style.textContent = ".todo-item:nth-child(7) { visibility: hidden; }";
    document.head.append(style);
  }),
  "reload-on-filter": scripted("filter links that load the page anew", () => {
    addEventListener(
      "click",
      (event) => {
        if ((event.target as Element).closest("[data-filter]") !== null) event.stopImmediatePropagation();
      },
      true,
    );
  }),
  "history-broken": scripted("a list that doesn't follow the history", () => {
    addEventListener("popstate", (event) => event.stopImmediatePropagation(), true);
  }),
  "focus-lost": scripted("an edit field without the focus", () => {
    HTMLElement.prototype.focus = () => undefined;
  }),
  "escape-saves": scripted("Escape, and the blur after it saves", () => {
    addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        event.stopImmediatePropagation();
        (event.target as HTMLElement).blur();
      },
      true,
    );
  }),
  "title-as-markup": scripted("a new title shown as markup", () => {
    new MutationObserver(() => {
      const title = document.querySelector("[data-todo='todo-103'] [data-title]");
      if (title?.childElementCount === 0 && title.textContent?.includes("<b>"))
        title.innerHTML = title.textContent;
    }).observe(document, { subtree: true, childList: true });
  }),
  "data-before-ready": scripted("a request for data before ready", () => {
    void fetch("/bench/info");
  }),
  "console-error": scripted("an error on the console", () => {
    console.error("Hydration failed");
  }),
  "failed-asset": scripted("a picture that isn't there", () => {
    new Image().src = "/assets/none.png";
  }),
  "page-error": scripted("an error that nobody handles", () => {
    setTimeout(() => {
      throw new Error("nobody handles this");
    });
  }),
  "neighbour-toggled": scripted("a box that toggles the item after it", () => {
    addEventListener(
      "click",
      (event) => {
        const item = (event.target as Element).closest("[data-toggle]")?.closest("li");
        if (!event.isTrusted || item == null) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        item.nextElementSibling?.querySelector<HTMLElement>("[data-toggle]")?.click();
      },
      true,
    );
  }),
  "clear-forgets-one": scripted("a clear-completed that forgets one", () => {
    addEventListener(
      "click",
      (event) => {
        if ((event.target as Element).closest("[data-clear-completed]") === null) return;
        const box = document.querySelector<HTMLElement>("[data-completed='true'] [data-toggle]");
        box?.click();
        setTimeout(() => box?.click());
      },
      true,
    );
  }),
  "answers-late": scripted("right, and half a second late with everything", () => {
    const { addEventListener } = HTMLElement.prototype;
    HTMLElement.prototype.addEventListener = function (
      this: HTMLElement,
      type: string,
      handler: unknown,
      options?: unknown,
    ) {
      const late =
        type === "click"
          ? (event: Event) => {
              const link = (event.target as Element).closest("a");
              if (link !== null) event.preventDefault();
              const { target } = event;
              setTimeout(() => {
                Object.defineProperty(event, "target", { value: target });
                (handler as (event: Event) => void)(event);
              }, 500);
            }
          : handler;
      Reflect.apply(addEventListener, this, [type, late, options]);
    };
  }),
};
