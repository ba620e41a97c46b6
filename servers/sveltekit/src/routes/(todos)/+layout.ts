import type { Load } from "@sveltejs/kit";

/** The list, streamed or not: the server renders it, and the browser hydrates when it has come. */
export const load: Load = async ({ data }) => ({ ...data, todos: await data?.todos });
