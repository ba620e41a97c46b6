import { FILTER_PATHS, type Filter } from "../../todo/contract/data.ts";
import { followFilter } from "../_kit/client/history.ts";

const FILTERS = [
  ["all", "All"],
  ["active", "Active"],
  ["completed", "Completed"],
] as const satisfies readonly (readonly [Filter, string])[];

/** Links to the three pages, followed inside the document. */
export function Filters({ current }: { readonly current: Filter }) {
  return (
    <nav className="todo-filters" aria-label="Filter">
      {FILTERS.map(([filter, label]) => (
        <a
          key={filter}
          className="todo-filter"
          href={FILTER_PATHS[filter]}
          data-filter={filter}
          aria-current={filter === current ? "page" : undefined}
          onClick={(event) => followFilter(event, filter)}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
