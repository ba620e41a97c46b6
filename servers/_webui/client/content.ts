/** Where an element's content stands: WebUI renders it as children, or into a declarative shadow root. */

export type Dom = "light" | "shadow";

/** The shadow root that the server gave `element`, or else the element itself. */
export function contentOf(element: HTMLElement): HTMLElement | ShadowRoot {
  return element.shadowRoot ?? element;
}

/** How the server rendered the content of `element`. */
export function domOf(element: HTMLElement): Dom {
  return element.shadowRoot === null ? "light" : "shadow";
}

/** Gives a new element its content, in the same kind of place as the server gives it. */
export function fill(element: HTMLElement, dom: Dom, content: readonly Node[]): void {
  if (dom === "light") element.append(...content);
  else element.attachShadow({ mode: "open" }).append(stylesheet(), ...content);
}

/** A document's styles end at a shadow root: each links the one stylesheet once more, as the templates do. */
function stylesheet(): Node {
  const link = document.querySelector('link[rel="stylesheet"]');
  if (link === null) throw new Error("The page links no stylesheet.");
  return link.cloneNode();
}
