/** The app as both sides make it: anew for every request, and once in the browser. */
import { type App, createSSRApp, defineComponent, h } from "vue";
import { createRouter, type Router, type RouterHistory, useRoute } from "vue-router";
import { FILTER_PATHS, type Filter } from "../../../todo/contract/data.ts";
import type { PageData } from "../../_kit/client/json.ts";
import TodoApp from "../../_vue/TodoApp.vue";

/** The pages differ in what the app shows, not in a view of their own: its state outlives the way between them. */
const routes = (Object.entries(FILTER_PATHS) as [Filter, string][]).map(([filter, path]) => ({
  path,
  name: filter,
  component: TodoApp,
}));

/** @param data of the page; @param history of the browser, or one that stays in memory */
export function createTodoApp(
  { todos, nonce }: PageData,
  history: RouterHistory,
): { app: App; router: Router } {
  const router = createRouter({ history, routes });
  const Root = defineComponent(() => {
    const route = useRoute();
    return () => h(TodoApp, { todos, nonce, filter: route.name as Filter });
  });
  return { app: createSSRApp(Root).use(router), router };
}
