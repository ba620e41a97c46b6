import { createFileRoute, Link, useLocation } from "@tanstack/react-router";
import { FILTER_PATHS, filterOfPath } from "../../../../todo/contract/data.ts";
import type { FilterLinkProps } from "../../../_react/Filters.tsx";
import { TodoApp } from "../../../_react/TodoApp.tsx";
import { todosOfRequest } from "../todosOfRequest.ts";

/** What the three pages share: the app stands here, so that its state outlives the way from one to another. */
export const Route = createFileRoute("/_todos")({
  loader: () => todosOfRequest(),
  // The list comes with the page, once; from then on the page's state is what counts.
  staleTime: Number.POSITIVE_INFINITY,
  headers: () => ({ "cache-control": "no-store" }),
  component: Todos,
});

function Todos() {
  const { todos, nonce } = Route.useLoaderData();
  const filter = useLocation({ select: ({ pathname }) => filterOfPath(pathname) }) ?? "all";
  return <TodoApp todos={todos} filter={filter} link={RouterLink} nonce={nonce} />;
}

function RouterLink({ filter, ...attributes }: FilterLinkProps) {
  return (
    <Link {...attributes} to={FILTER_PATHS[filter]} activeOptions={{ exact: true, includeSearch: false }} />
  );
}
