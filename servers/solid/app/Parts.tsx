import { For } from "solid-js";
import type { Todo } from "../../../todo/contract/data.ts";

/**
 * The optional parts of an item: those it hasn't are absent. Conditions are expressions, which the compiler makes
 * reactive; `Show` does the same as a component, which the server renders as one, five hundred times a page.
 */
export function Parts(props: { readonly todo: Todo }) {
  return (
    <>
      {(props.todo.priority || props.todo.due || props.todo.tags || props.todo.assignee) && (
        <div class="todo-parts">
          {props.todo.priority && (
            <span class="todo-priority" data-priority data-level={props.todo.priority}>
              {props.todo.priority}
            </span>
          )}
          {props.todo.due && (
            <time data-due datetime={props.todo.due.date}>
              {props.todo.due.label}
            </time>
          )}
          {props.todo.tags && (
            <ul class="todo-tags" aria-label="Tags">
              <For each={props.todo.tags}>
                {(tag) => (
                  <li class="todo-tag" data-tag>
                    {tag}
                  </li>
                )}
              </For>
            </ul>
          )}
          {props.todo.assignee && (
            <span data-assignee>
              <span class="todo-initials">{props.todo.assignee.initials}</span> {props.todo.assignee.name}
            </span>
          )}
        </div>
      )}
      {props.todo.note && (
        <p class="todo-note" data-note>
          {props.todo.note}
        </p>
      )}
    </>
  );
}
