/**
 * What runs in the page beside the page's own code. Functions here are sent as text: each has to stand alone, and
 * nothing of the module is there when it runs.
 */
import type { WireDocument, WireElement, WireNode } from "./wire.ts";

/** The mark by which a page says that it answers input everywhere (the workload's contract). */
export const READY_MARK = "todo:ready";

export interface InstrumentOptions {
  readonly readyMark: typeof READY_MARK;
  /** Presses the last item's box within the ready mark itself: the extra check that ready is true. */
  readonly toggleLastAtReady: boolean;
}

/** Of the web vitals, the last value reported of each; by name, such as `LCP`. */
export type Vitals = Readonly<Record<string, number>>;

/** What one act has shown so far; all times on the page's own clock, ms since the navigation's start. */
export interface ActTimes {
  /** Of the last trusted input event; null where none has come. */
  readonly inputMs: number | null;
  /** The frame after the last mutation; null where there was none. */
  readonly frameMs: number | null;
}

/** The page's whole state, and what the act before has shown. */
export interface PageReading {
  readonly document: WireDocument;
  /** Path and query. */
  readonly address: string;
  /** Another one after a reload: the document isn't the same any more. */
  readonly documentId: string;
  readonly times: ActTimes;
}

export interface ReadyReading {
  /** Null where the page wasn't ready by the limit; the rest is read all the same. */
  readonly readyMs: number | null;
  readonly timeOriginMs: number;
  /** `[data-title]` elements when the document had been parsed, or at the mark where that came first. */
  readonly titlesBeforeReady: number;
  readonly titlesNow: number;
  /** Items that the server had sent by then, and how many of them are still shown, the same objects. */
  readonly itemsSent: number;
  readonly itemsKept: number;
  readonly itemsNow: number;
  readonly protocol: string;
}

export interface PageInstrument {
  /** Begins to watch for one act's input and mutations. */
  arm(): void;
  /**
   * Waits until two frames have passed without a mutation, then reads everything.
   * @param limitMs reads by then in any case
   * @returns a PageReading as JSON: as objects, thousands of elements take a driver ten times as long
   */
  read(limitMs: number): Promise<string>;
  /** Waits for a mutation, or for some frames where values may change without one. @param frames at most */
  nextChange(frames: number): Promise<void>;
  /** @param limitMs waits so long, from the navigation's start */
  whenReady(limitMs: number): Promise<ReadyReading>;
  /** Titles in the page as it is now. */
  countTitles(): number;
  /** When the page is idle: the library reports an interaction no earlier. */
  vitals(): Promise<Vitals>;
}

declare global {
  interface Window {
    readonly todoBenchInstrument: PageInstrument;
  }
  /** The library's build for pages: it stands before the instrument in the same script. */
  const webVitals: Readonly<
    Record<
      "onTTFB" | "onFCP" | "onLCP" | "onCLS" | "onINP",
      (
        report: (metric: { readonly name: string; readonly value: number }) => void,
        options: { readonly reportAllChanges: boolean; readonly durationThreshold?: number },
      ) => void
    >
  >;
}

/** Runs in every new document before any script of the page. */
export function installInstrument({ readyMark, toggleLastAtReady }: InstrumentOptions): void {
  const QUIET_FRAMES = 2;
  const documentId = `${performance.timeOrigin} ${Math.random()}`;
  const ready = Promise.withResolvers<number>();
  let inputMs: number | null = null;
  let frameMs: number | null = null;
  let frameAsked = false;
  let mutations = 0;
  let armed = false;
  let sent: { readonly items: readonly Element[]; readonly titles: number } | null = null;

  /** Every element that a query through open shadow roots finds; closed roots and templates hide theirs. */
  const elementsOf = (root: ParentNode): Element[] => {
    const found: Element[] = [];
    for (const element of root.querySelectorAll("*")) {
      found.push(element);
      if (element.shadowRoot !== null) found.push(...elementsOf(element.shadowRoot));
    }
    return found;
  };
  const all = (attribute: string): Element[] =>
    elementsOf(document).filter((element) => element.hasAttribute(attribute));

  const noteSent = (): void => {
    sent ??= { items: all("data-todo"), titles: all("data-title").length };
  };
  // Fired when the parser is done, before scripts that wait for it.
  document.addEventListener("readystatechange", () => document.readyState === "interactive" && noteSent(), {
    once: true,
  });

  const pressLast = (): void => {
    const last = all("data-todo").at(-1);
    const boxes = last === undefined ? [] : all("data-toggle").filter((box) => contains(last, box));
    for (const box of boxes) (box as HTMLElement).click();
  };
  /** Whether one stands in the other, through the hosts of shadow roots. */
  const contains = (outer: Element, inner: Element): boolean => {
    for (let at: Node | null = inner; at !== null; at = at instanceof ShadowRoot ? at.host : at.parentNode) {
      if (at === outer) return true;
    }
    return false;
  };

  const { mark } = Performance.prototype;
  let marked = false;
  Performance.prototype.mark = function (
    this: Performance,
    markName: string,
    options?: PerformanceMarkOptions,
  ) {
    // The page may write another time on its mark.
    const atMs = performance.now();
    const entry = mark.call(this, markName, options);
    if (markName === readyMark && !marked) {
      marked = true;
      noteSent();
      if (toggleLastAtReady) pressLast();
      ready.resolve(atMs);
    }
    return entry;
  };

  const added: Node[] = [];
  const observer = new MutationObserver((records) => {
    mutations += 1;
    for (const { addedNodes } of records) added.push(...addedNodes);
    if (frameAsked) return;
    frameAsked = true;
    requestAnimationFrame(() => {
      frameAsked = false;
      frameMs = performance.now();
      // Off the clock: elements that were cloned or parsed have roots that nobody has attached.
      for (const node of added.splice(0)) if (node instanceof Element) observeRootsIn(node);
    });
  });
  const observe = (root: Node): void =>
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  const observeRootsIn = (element: Element): void => {
    for (const { shadowRoot } of [element, ...elementsOf(element)])
      if (shadowRoot !== null) observe(shadowRoot);
  };
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (this: Element, init: ShadowRootInit) {
    const root = attachShadow.call(this, init);
    if (armed && init.mode === "open") observe(root);
    return root;
  };

  const noteInput = (event: Event): void => {
    if (event.isTrusted) inputMs = event.timeStamp;
  };
  for (const type of ["keydown", "click", "popstate"]) {
    addEventListener(type, noteInput, { capture: true, passive: true });
  }

  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  const quiet = async (limitMs: number): Promise<void> => {
    const deadline = performance.now() + limitMs;
    let seen = mutations;
    for (let still = 0; still < QUIET_FRAMES && performance.now() < deadline; ) {
      await frame();
      still = mutations === seen && !frameAsked ? still + 1 : 0;
      seen = mutations;
    }
  };

  const vitals: Record<string, number> = {};
  const keep = ({ name: metric, value }: { readonly name: string; readonly value: number }): void => {
    vitals[metric] = value;
  };
  for (const on of ["onTTFB", "onFCP", "onLCP", "onCLS"] as const)
    webVitals[on](keep, { reportAllChanges: true });
  webVitals.onINP(keep, { reportAllChanges: true, durationThreshold: 16 });

  const isVisible = (element: Element): boolean => {
    if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    // Without a box of its own, as the wrappers of islands are: what stands in it is what is seen.
    const { display, visibility } = getComputedStyle(element);
    return display === "contents" && visibility === "visible";
  };
  const wireElement = (element: Element): WireElement => {
    const tag = element.localName;
    const attributes = Array.from(element.attributes, (one) => [one.name, one.value] as [string, string]);
    const field = element instanceof HTMLInputElement ? element : null;
    const owner = element.getRootNode();
    const focused =
      (owner instanceof Document || owner instanceof ShadowRoot) && owner.activeElement === element;
    return {
      t: tag,
      a: attributes,
      c: tag === "script" || tag === "style" ? [] : wireNodes(element.childNodes),
      s: element.shadowRoot === null ? null : wireNodes(element.shadowRoot.childNodes),
      v: isVisible(element),
      f: focused,
      i: field === null ? null : { checked: field.checked, value: field.value },
    };
  };
  const wireNodes = (nodes: NodeListOf<ChildNode>): WireNode[] => {
    const wired: WireNode[] = [];
    for (const node of nodes) {
      if (node instanceof Element) wired.push(wireElement(node));
      else if (node instanceof Text) wired.push(node.data);
    }
    return wired;
  };

  const instrument: PageInstrument = {
    arm() {
      inputMs = null;
      frameMs = null;
      mutations = 0;
      armed = true;
      observe(document);
      observeRootsIn(document.documentElement);
    },
    async read(limitMs) {
      await quiet(limitMs);
      const reading: PageReading = {
        document: { root: wireElement(document.documentElement), focused: document.hasFocus() },
        address: `${location.pathname}${location.search}`,
        documentId,
        times: { inputMs, frameMs },
      };
      return JSON.stringify(reading);
    },
    async nextChange(frames) {
      const seen = mutations;
      for (let left = frames; left > 0 && mutations === seen; left -= 1) await frame();
    },
    async whenReady(limitMs) {
      const late = new Promise<null>((resolve) => {
        setTimeout(() => resolve(null), Math.max(0, limitMs - performance.now()));
      });
      const readyMs = await Promise.race([ready.promise, late]);
      await frame();
      await frame();
      const items = new Set(all("data-todo"));
      const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return {
        readyMs,
        timeOriginMs: performance.timeOrigin,
        titlesBeforeReady: sent?.titles ?? 0,
        titlesNow: all("data-title").length,
        itemsSent: sent?.items.length ?? 0,
        itemsKept: sent?.items.filter((item) => items.has(item)).length ?? 0,
        itemsNow: items.size,
        protocol: navigation?.nextHopProtocol ?? "",
      };
    },
    countTitles: () => all("data-title").length,
    async vitals() {
      for (let times = 0; times < 2; times += 1) {
        await frame();
        await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
      }
      return { ...vitals };
    },
  };
  Object.defineProperty(window, "todoBenchInstrument", { value: instrument });
}
