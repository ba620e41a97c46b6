import { html, nothing } from "lit";
import { FILTER_PATHS, type Filter } from "../../../todo/contract/data.ts";
import { followFilter } from "../../_kit/client/history.ts";

const FILTERS = [
  ["all", "All"],
  ["active", "Active"],
  ["completed", "Completed"],
] as const satisfies readonly (readonly [Filter, string])[];

/** Links to the three pages, followed inside the document. */
export function filters(current: Filter) {
  return html`<nav class="todo-filters" aria-label="Filter">
    ${FILTERS.map(
      ([filter, label]) => html`<a class="todo-filter" href=${FILTER_PATHS[filter]} data-filter=${filter}
        aria-current=${filter === current ? "page" : nothing}
        @click=${(event: MouseEvent) => followFilter(event, filter)}>${label}</a>`,
    )}
  </nav>`;
}
