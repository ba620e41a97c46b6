import { A } from "@solidjs/router";
import { For } from "solid-js";
import { FILTER_PATHS, type Filter } from "../../../todo/contract/data.ts";

const FILTERS = [
  ["all", "All"],
  ["active", "Active"],
  ["completed", "Completed"],
] as const satisfies readonly (readonly [Filter, string])[];

/** Links to the three pages; the router says by itself which of them is the current page's. */
export function Filters() {
  return (
    <nav class="todo-filters" aria-label="Filter">
      <For each={FILTERS}>
        {([filter, label]) => (
          <A class="todo-filter" href={FILTER_PATHS[filter]} end data-filter={filter}>
            {label}
          </A>
        )}
      </For>
    </nav>
  );
}
