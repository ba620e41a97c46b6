import type { TodoAction } from "../../_kit/client/todos.ts";

/** What an item asks of the app: bubbles from the item that it is about. */
export const TODO_ACTION = "todo-action";

export type TodoActionEvent = CustomEvent<TodoAction>;
