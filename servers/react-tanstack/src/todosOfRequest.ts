import { createServerOnlyFn } from "@tanstack/react-start";
import { getRequest } from "@tanstack/react-start/server";
import { makeTodos, requestNonce } from "../../../todo/contract/data.ts";

/** The list of the request that is being answered, and the request's nonce. The browser gets both with the page. */
export const todosOfRequest = createServerOnlyFn(() => ({
  todos: makeTodos(new Date().toISOString()),
  nonce: requestNonce(new URL(getRequest().url).searchParams.get("r")),
}));
