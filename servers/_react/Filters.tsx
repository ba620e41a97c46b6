import type { ComponentType, ReactNode } from "react";
import type { Filter } from "../../todo/contract/data.ts";

/** What a filter's link is given: the filter, and what its `a` carries besides the address. */
export interface FilterLinkProps {
  readonly filter: Filter;
  readonly className: string;
  readonly "data-filter": Filter;
  readonly "aria-current": "page" | undefined;
  readonly children: ReactNode;
}

/** A link to a filter's page that is followed inside the document, by whatever router the app has. */
export type FilterLink = ComponentType<FilterLinkProps>;

const FILTERS = [
  ["all", "All"],
  ["active", "Active"],
  ["completed", "Completed"],
] as const satisfies readonly (readonly [Filter, string])[];

interface Props {
  readonly current: Filter;
  readonly link: FilterLink;
}

/** Links to the three pages. */
export function Filters({ current, link: Link }: Props) {
  return (
    <nav className="todo-filters" aria-label="Filter">
      {FILTERS.map(([filter, label]) => (
        <Link
          key={filter}
          className="todo-filter"
          filter={filter}
          data-filter={filter}
          aria-current={filter === current ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
