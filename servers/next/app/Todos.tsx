"use client";

import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { FILTER_PATHS, filterOfPath, requestNonce, type Todo } from "../../../todo/contract/data.ts";
import type { FilterLinkProps } from "../../_react/Filters.tsx";
import { TodoApp } from "../../_react/TodoApp.tsx";

/** The app, with Next's links and the address that its router knows. */
export function Todos({ todos }: { readonly todos: readonly Todo[] }) {
  const filter = filterOfPath(usePathname()) ?? "all";
  const asked = useSearchParams().get("r");
  // That of the request which was answered with this page, not of the address that is shown now.
  const [nonce] = useState(() => requestNonce(asked));
  return <TodoApp todos={todos} filter={filter} link={NextLink} nonce={nonce} />;
}

/** Nothing is fetched ahead: a page is asked for when its link is followed. */
function NextLink({ filter, ...attributes }: FilterLinkProps) {
  return <Link {...attributes} href={FILTER_PATHS[filter]} prefetch={false} />;
}
