/** The client of pages in the light DOM: the elements take over their own children. */
import "../../_kit/assets/favicon.svg";
import "../../_kit/assets/todo.css";
import { TodoApp } from "./todo-app.ts";
import { TodoItem } from "./todo-item.ts";

// The app hands its data to the items, so they come first.
customElements.define(TodoItem.tagName, TodoItem);
customElements.define(TodoApp.tagName, TodoApp);
