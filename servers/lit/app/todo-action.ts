import type { TodoAction } from "../../_kit/client/todos.ts";

/** What an item asks of the app: leaves the item's shadow root, and bubbles to the list. */
export class TodoActionEvent extends Event {
  static readonly type = "todo-action";
  readonly action: TodoAction;

  constructor(action: TodoAction) {
    super(TodoActionEvent.type, { bubbles: true, composed: true });
    this.action = action;
  }
}
