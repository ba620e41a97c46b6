import "../_kit/assets/favicon.svg";
import "../_kit/assets/todo.css";
import { createWebHistory } from "vue-router";
import { readPageData } from "../_kit/client/json.ts";
import { createTodoApp } from "./app/app.ts";

const { app, router } = createTodoApp(readPageData(), createWebHistory());
// What hydrates has to be at the place that the server rendered for.
await router.isReady();
app.mount("#app");
