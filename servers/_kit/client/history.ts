/** The filter in the address, for libraries that bring no router of their own. */
import { FILTER_PATHS, type Filter, filterOfPath } from "../../../todo/contract/data.ts";

/** `pushState` tells nobody, so following a link says it by this event. */
const FOLLOWED = "todo:followed";

/** The filter that the address shows. */
export function currentFilter(): Filter {
  return filterOfPath(location.pathname) ?? "all";
}

/** Calls `listener` whenever the filter in the address may have changed. @returns a function that ends it */
export function subscribeToFilter(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(FOLLOWED, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(FOLLOWED, listener);
  };
}

/** The parts of a click that decide whether it is the page's to follow. */
export type LinkClick = Pick<
  MouseEvent,
  "button" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "preventDefault"
>;

/** Follows a filter's link inside the document, unless the click asks the browser for a new tab or the like. */
export function followFilter(click: LinkClick, filter: Filter): void {
  if (click.button !== 0 || click.altKey || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  if (location.pathname !== FILTER_PATHS[filter]) history.pushState(null, "", FILTER_PATHS[filter]);
  window.dispatchEvent(new Event(FOLLOWED));
}
