import { For, Show } from "solid-js";
import type { Todo } from "../../../todo/contract/data.ts";

/** The optional parts of an item: those it hasn't are absent. */
export function Parts(props: { readonly todo: Todo }) {
  const hasLine = (): boolean => {
    const { priority, due, tags, assignee } = props.todo;
    return Boolean(priority || due || tags || assignee);
  };
  return (
    <>
      <Show when={hasLine()}>
        <div class="todo-parts">
          <Show when={props.todo.priority}>
            {(priority) => (
              <span class="todo-priority" data-priority data-level={priority()}>
                {priority()}
              </span>
            )}
          </Show>
          <Show when={props.todo.due}>
            {(due) => (
              <time data-due datetime={due().date}>
                {due().label}
              </time>
            )}
          </Show>
          <Show when={props.todo.tags}>
            {(tags) => (
              <ul class="todo-tags" aria-label="Tags">
                <For each={tags()}>
                  {(tag) => (
                    <li class="todo-tag" data-tag>
                      {tag}
                    </li>
                  )}
                </For>
              </ul>
            )}
          </Show>
          <Show when={props.todo.assignee}>
            {(assignee) => (
              <span data-assignee>
                <span class="todo-initials">{assignee().initials}</span> {assignee().name}
              </span>
            )}
          </Show>
        </div>
      </Show>
      <Show when={props.todo.note}>
        {(note) => (
          <p class="todo-note" data-note>
            {note()}
          </p>
        )}
      </Show>
    </>
  );
}
