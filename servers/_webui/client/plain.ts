/** The client of pages without a hydration plugin: plain elements that take over what the server rendered for them. */
import "../../_kit/assets/favicon.svg";
import "../../_kit/assets/todo.css";
import { TodoApp } from "./todo-app.ts";
import { TodoItem } from "./todo-item.ts";

// The app hands its data to the items, so they come first.
customElements.define(TodoItem.tagName, TodoItem);
customElements.define(TodoApp.tagName, TodoApp);
