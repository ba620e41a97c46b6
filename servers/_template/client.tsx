import "../_kit/assets/favicon.svg";
import "../_kit/assets/todo.css";
import { readPageData } from "../_kit/client/json.ts";
import { announceReady } from "../_kit/client/ready.ts";
import { TodoApp } from "./app/todo-app.ts";

const root = document.querySelector<HTMLElement>("[data-todo-app]");
if (root === null) throw new Error("The page has no [data-todo-app].");
new TodoApp(root, readPageData().todos).listen();
announceReady(root);
