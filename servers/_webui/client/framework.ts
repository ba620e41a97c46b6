/** The client of pages rendered with the `webui` plugin: WebUI's own framework hydrates them. */
import "../../_kit/assets/favicon.svg";
import "../../_kit/assets/todo.css";
import { announceReady } from "../../_kit/client/ready.ts";
import { FrameworkTodoApp } from "./framework-todo-app.ts";
import { FrameworkTodoItem } from "./framework-todo-item.ts";

// The app hands each item its todo, so that the items have theirs when they are hydrated. Both are at once.
FrameworkTodoApp.define("todo-app");
FrameworkTodoItem.define("todo-item");

const app = document.querySelector<FrameworkTodoApp>("todo-app");
if (app === null) throw new Error("The page has no todo-app.");
announceReady(app);
