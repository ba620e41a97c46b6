/** The client of pages rendered with the `fast-v3` plugin: FAST hydrates them by the templates that the page brings. */
import "../../_kit/assets/favicon.svg";
import "../../_kit/assets/todo.css";
import { declarativeTemplate } from "@microsoft/fast-element/declarative.js";
import { enableHydration } from "@microsoft/fast-element/hydration.js";
import { announceReady } from "../../_kit/client/ready.ts";
import { FastTodoApp } from "./fast-todo-app.ts";
import { FastTodoItem } from "./fast-todo-item.ts";

const hydration = enableHydration();

// The app hands each item its todo, so that the items have theirs when they are hydrated.
await FastTodoApp.define({ name: "todo-app", template: declarativeTemplate() });
await FastTodoItem.define({ name: "todo-item", template: declarativeTemplate() });
await hydration.whenHydrated();

const app = document.querySelector<FastTodoApp>("todo-app");
if (app === null) throw new Error("The page has no todo-app.");
announceReady(app);
